// Memory of the driver API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -lcuda %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: driver_api\.cu:12:\d+: error: kernel 'fill\(int\*\)', block \[0,0,0\], thread \[9,0,0\]: write of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the 36 bytes at 0x[0-9a-f]+$
// EXPECT: driver_api\.cu:17: note: the 36 bytes at 0x[0-9a-f]+ are allocated by cuMemAlloc(_v2)?, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cuda.h>

#include <cstdio>

__global__ void fill(int* a) { a[threadIdx.x] = 1; }

int main() {
  cudaFree(nullptr);
  CUdeviceptr a = 0;
  cuMemAlloc(&a, 36);
  fill<<<1, 10>>>(reinterpret_cast<int*>(a));
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
