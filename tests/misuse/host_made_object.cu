// Objects with virtual functions, and a function pointer, that the host made are used by a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 -std=c++17 %s -o %t && %t virtual => 0
// EXPECT: host_made_object\.cu:30:\d+: error: kernel 'ask\(.*thread \[0,0,0\]: a call of 0x[0-9a-f]+, which is no device code \(a virtual function of an object that the host made
// EXPECT: ^cudaErrorIllegalAddress, device-made gave 49$
// STEP: GRIDSPAN_CPU=interpret %t virtual => 0
// EXPECT: host_made_object\.cu:30:\d+: error: kernel 'ask\(.*which is no device code
// EXPECT: ^cudaErrorIllegalAddress, device-made gave 49$
// STEP: GRIDSPAN_DEVICES=cpu:2x1 %t virtual => 0
// EXPECT: ^cudaErrorIllegalAddress, device-made gave 49$
// STEP: %t pointer => 0
// EXPECT: host_made_object\.cu:33:\d+: error: kernel 'call\(.*which is no device code .* or a pointer to a host function\)
// EXPECT: ^cudaErrorIllegalAddress, device-made gave 49$
// STEP: %gridcc -G -std=c++17 %s -o %t && %t virtual => 0
// EXPECT: ^cudaErrorIllegalAddress, device-made gave 49$

#include <cstdio>
#include <cstring>
#include <new>

struct Shape {
  __host__ __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __host__ __device__ explicit Square(int s) : side(s) {}
  __host__ __device__ int area() const override { return side * side; }
};
__global__ void make(Square* square) { new (square) Square(7); }
__global__ void ask(const Shape* shape, int* out) { *out = shape->area(); }
__host__ __device__ int twice(int x) { return 2 * x; }
using Function = int (*)(int);
__global__ void call(Function function, int* out) { *out = function(3); }

int main(int, char** arguments) {
  Square* square;
  int *out, result = 0;
  cudaMalloc(&square, sizeof *square);
  cudaMallocManaged(&out, 4);
  *out = -1;
  make<<<1, 1>>>(square);
  ask<<<1, 1>>>(square, out);
  cudaDeviceSynchronize();
  result = *out;
  if (!std::strcmp(arguments[1], "pointer")) {
    call<<<1, 1>>>(twice, out);
  } else {
    const Square mine(5);
    cudaMemcpy(square, static_cast<const void*>(&mine), sizeof mine, cudaMemcpyHostToDevice);
    ask<<<1, 1>>>(square, out);
  }
  std::printf("%s, device-made gave %d\n", cudaGetErrorName(cudaDeviceSynchronize()), result);
}
