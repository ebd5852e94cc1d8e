// Kernels that use bad addresses: the process goes on and learns of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: %t null => 1
// EXPECT: finished: an illegal memory access was encountered
// EXPECT: after: an illegal memory access was encountered
// STEP: %t wild => 1
// EXPECT: finished: an illegal memory access was encountered
// STEP: %t read => 1
// EXPECT: finished: an illegal memory access was encountered
// STEP: GRIDSPAN_CPU=interpret %t null => 1
// EXPECT: finished: an illegal memory access was encountered
// EXPECT: error: kernel 'store\(int\*\)', block \[\d,0,0\], thread \[0,0,0\]: write of 4 bytes at 0x0, a null pointer, or near it$
// STEP: GRIDSPAN_THREADS=1 %t null => 1
// EXPECT: finished: an illegal memory access was encountered
#include <cstdio>
#include <cstring>

__global__ void store(int* p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void load(const int* p, int* out) {
  if (p[threadIdx.x] == 3) *out = 4;
}

int main(int, char** argv) {
  int* out;
  cudaMalloc(&out, sizeof(int));
  if (std::strcmp(argv[1], "null") == 0) store<<<5, 33>>>(nullptr);
  if (std::strcmp(argv[1], "wild") == 0) store<<<5, 33>>>(reinterpret_cast<int*>(0xdeadbeef00000ull));
  if (std::strcmp(argv[1], "read") == 0) load<<<5, 33>>>(nullptr, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  std::printf("after: %s\n", cudaGetErrorString(cudaFree(out)));
  return error != cudaSuccess;
}
