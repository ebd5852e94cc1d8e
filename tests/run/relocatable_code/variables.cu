// Device variables that other files use, and kernels that they launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"

__device__ int device_table[37] = {1, 2, 3};
__constant__ float weights[5] = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f};
__managed__ int managed_total = 1000;
__device__ int* address_of_entry = &device_table[11];
__device__ const int primes[] = {2, 3, 5, 7, 11};
namespace names {
__device__ const double third = 1.0 / 3;
extern "C" __device__ const float c_constant = 9.5f;
}  // namespace names

static __device__ int hidden = 100;
static __global__ void read_hidden(int* out) { *out = hidden + 1; }

__global__ void __launch_bounds__(64) fill_table(int first) {
  for (int i = threadIdx.x; i < 37; i += blockDim.x) device_table[i] = first + cubed(i);
}

static texture<int> numbers;
static __global__ void fetch(int* out, int i) { *out = tex1Dfetch(numbers, i) + 1000; }

int fetch_of_variables(const int* device, int n, int i) {
  int* out = nullptr;
  int value = -1;
  cudaMalloc(&out, sizeof *out);
  cudaBindTexture(nullptr, numbers, device, n * sizeof(int));
  fetch<<<1, 1>>>(out, i);
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return value;
}

void set_hidden_of_variables(int value) { cudaMemcpyToSymbol(hidden, &value, sizeof value); }

int hidden_of_variables() {
  int* out = nullptr;
  int value = -1;
  cudaMalloc(&out, sizeof *out);
  cudaMemset(out, 0xa5, sizeof *out);
  read_hidden<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return value;
}

void scale_elsewhere(float* device, int n, float factor) {
  scale_all<<<3, 32>>>(device, n, factor);
}
