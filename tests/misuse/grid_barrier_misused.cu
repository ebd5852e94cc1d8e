// Half of a block waits for the grid, half for the block; and more blocks than fibers can hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_THREADS=2 GRIDSPAN_CPU=interpret %t => 1
// EXPECT: grid_barrier_misused\.cu:(20|22):\d+: error: .*halves.*wait for each other for ever.*(grid\.sync|__syncthreads)
// EXPECT: halves: unspecified launch failure
// STEP: GRIDSPAN_THREADS=2 %t => 1
// EXPECT: grid_barrier_misused\.cu:(20|22):\d+: error: .*halves.*wait for each other for ever.*(grid\.sync|__syncthreads)
// EXPECT: halves: unspecified launch failure
// STEP: GRIDSPAN_THREADS=2 %t many => 0
// EXPECT: many: no error
// STEP: GRIDSPAN_THREADS=2 GRIDSPAN_CPU=interpret %t many => 1
// EXPECT: many: too many blocks in cooperative launch
// STEP: GRIDSPAN_THREADS=2 GRIDSPAN_CPU=interpret %t many plainly => 1
// EXPECT: kernel 'whole\(int\*\)' waits for all 100 blocks of its grid, but at most 64
// EXPECT: many: unspecified launch failure
#include <cooperative_groups.h>
#include <cstdio>

__global__ void halves(int* out) {
  if (threadIdx.x < 32)
    cooperative_groups::this_grid().sync();
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void whole(int* out) {
  cooperative_groups::this_grid().sync();
  out[threadIdx.x] = 1;
}

int main(int count, char**) {
  const char* name = count > 1 ? "many" : "halves";
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  void* arguments[] = {&out};
  cudaError_t error = cudaSuccess;
  if (count > 2)
    whole<<<100, 64>>>(out);
  else
    error = cudaLaunchCooperativeKernel(count > 1 ? whole : halves, dim3(count > 1 ? 100 : 2),
                                        dim3(64), arguments);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  std::printf("%s: %s\n", name, cudaGetErrorString(error));
  return error != cudaSuccess;
}
