// A stencil that reads the element before the first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: before_beginning\.cu:13:\d+: error: kernel 'stencil\(double const\*, double\*, int\)', block \[0,0,0\], thread \[0,0,0\]: read of 8 bytes at 0x[0-9a-f]+, 8 bytes before the beginning of the 616 bytes at 0x[0-9a-f]+$
// EXPECT: before_beginning\.cu:18: note: the 616 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void stencil(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + in[i - 1];
}

int main() {
  double *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 77 * sizeof(double));
  cudaMalloc(&out, 77 * sizeof(double));
  stencil<<<3, 32>>>(in, out, 77);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
