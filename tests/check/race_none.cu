// Barriers, atomics, fences with flags and grid barriers order what threads do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=memory,init,race,sync %t => 0
// EXPECT: finished: no error
// REFUSE: warning
// REFUSE: error:
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ unsigned done;

__global__ void last_block(int* partial, int* out) {
  __shared__ bool is_last;
  __shared__ int sums[64];
  sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sums[5] + blockIdx.x;
    __threadfence();
    is_last = atomicAdd(&done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) atomicAdd(out, partial[threadIdx.x]);
}
__global__ void phases(int* a, int* b, int n) {
  cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    if (i < n) b[i] = a[(i + 1) % n] + 1;
    grid.sync();
    if (i < n) a[i] = b[(i + 5) % n];
    grid.sync();
  }
}
__global__ void block_wise(int* a) {
  int* mine = a + blockIdx.x * blockDim.x;
  mine[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = mine[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  mine[threadIdx.x] = other;
  __syncwarp();
  mine[threadIdx.x ^ 1] += 2;
}
__global__ void same(int* flag, char* bytes) {
  *flag = 1;
  bytes[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

int main() {
  int *a = nullptr, *b = nullptr, *out = nullptr;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMalloc(&out, 4);
  cudaMemset(a, 0, 4096);
  cudaMemset(out, 0, 4);
  last_block<<<9, 64>>>(a, out);
  int n = 250;
  void* arguments[] = {&a, &b, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(phases), dim3(4), dim3(64), arguments, 0, 0);
  block_wise<<<4, 64>>>(a);
  same<<<5, 33>>>(out, reinterpret_cast<char*>(a));
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
