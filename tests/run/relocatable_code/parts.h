// What the files of this program have from each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

// functions.cu
__device__ int block_sum(int value);           // barriers, static shared memory; 0 < n <= 256
__device__ int warp_prefix(int value);         // shuffles, all 32 lanes
__device__ void reverse_dynamic(int* values);  // through the launch's dynamic shared memory
__device__ int factorial(int n);               // recursive
using Operation = int (*)(int, int);
extern __device__ Operation operations[3];  // +, *, and one that is private to its file
__device__ Operation chosen_operation(int which);
__device__ void say(int value);  // printf

// variables.cu
extern __device__ int device_table[37];
extern __constant__ float weights[5];
extern __managed__ int managed_total;
extern __device__ int* address_of_entry;  // &device_table[11]
extern __device__ const int primes[];     // 2, 3, 5, 7, 11
namespace names {
extern __device__ const double third;
extern "C" __device__ const float c_constant;
}  // namespace names
__global__ void fill_table(int first);  // a kernel that other files launch
int hidden_of_variables();              // runs a kernel named like one of main.cu
void set_hidden_of_variables(int value);
int fetch_of_variables(const int* device, int n, int i);  // through a texture named as in main.cu

// shapes.cu
class Shape {
 public:
  __device__ explicit Shape(int size) : size_(size) {}
  __device__ virtual int area() const;
  __device__ virtual int corners() const { return 0; }

 protected:
  int size_;
};
class Square : public Shape {
 public:
  __device__ explicit Square(int size) : Shape(size) {}
  __device__ int area() const override;
  __device__ int corners() const override;
};

// In every file that uses it; one of them is linked.
template <class T>
__device__ T cubed(T value) {
  return value * value * value;
}
inline __device__ int twice(int value) { return 2 * value; }

template <class T>
__global__ void scale_all(T* data, int n, T factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] = data[i] * factor + static_cast<T>(twice(1));
}
void scale_elsewhere(float* device, int n, float factor);  // the same instance, from variables.cu
