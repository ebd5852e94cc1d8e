// Cooperative launches of as many blocks as the device holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Cooperative groups | grids sized by occupancy times multiprocessors
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Each block adds up what all blocks wrote before the barrier.
__global__ void sum_of_all(int* values, int* sums) {
  extern __shared__ int unused[];
  if (threadIdx.x == 0) values[blockIdx.x] = blockIdx.x + 1;
  cg::this_grid().sync();
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += values[i];
  atomicAdd(&sums[blockIdx.x], sum);
}

int main() {
  int processors = 0;
  CUDA_OK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  for (const int threads : {64, 256, 1024})
    for (const std::size_t shared : {std::size_t{0}, std::size_t{20000}}) {
      int resident = 0;
      CUDA_OK(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sum_of_all, threads, shared));
      const int blocks = resident * processors;
      check::Array<int> values(blocks + 1), sums(std::vector<int>(blocks + 1, 0));
      int *v = values.data(), *s = sums.data();
      void* arguments[] = {&v, &s};
      CUDA_OK(cudaLaunchCooperativeKernel(sum_of_all, blocks, threads, arguments, shared, nullptr));
      std::vector<int> want(blocks, blocks * (blocks + 1) / 2);
      want.push_back(0);
      check::equal("sums of " + std::to_string(threads), sums.get(), want);
      // One more is an error that harms nothing, or works.
      const cudaError_t more =
          cudaLaunchCooperativeKernel(sum_of_all, blocks + 1, threads, arguments, shared, nullptr);
      CHECK(more == cudaErrorCooperativeLaunchTooLarge || more == cudaSuccess);
      cudaGetLastError();
    }
  return check::finish();
}
