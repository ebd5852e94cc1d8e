// How many blocks of a kernel fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

#include <algorithm>

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* block_count, CUfunction function,
                                                     int block_size, size_t shared_bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(block_count, function, block_size,
                                                              shared_bytes, 0);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* block_count, CUfunction function,
                                                              int block_size, size_t shared_bytes,
                                                              unsigned int flags) {
  return call(Needs::context, [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(block_count, function, block_size,
                                                                  shared_bytes, flags);
  });
}

// The largest block that fits, in whole warps, as the run-time API's template finds it.
CUresult cuOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t shared_bytes,
                                          int limit) {
  if (!min_grid_size || !block_size) return CUDA_ERROR_INVALID_VALUE;
  int processors = 0, most = 0, warp = 32;
  if (const CUresult result = call(Needs::context, [&] {
        return cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
      })) {
    return result;
  }
  if (const CUresult result =
          cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function)) {
    return result;
  }
  if (limit > 0) most = std::min(most, limit);
  int best_size = 0, best_blocks = 0;
  for (int size = (most + warp - 1) / warp * warp; size > 0; size -= warp) {
    const int threads = std::min(size, most);
    const std::size_t shared = shared_of ? shared_of(threads) : shared_bytes;
    int blocks = 0;
    if (const CUresult result =
            cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, shared)) {
      return result;
    }
    if (blocks * threads <= best_blocks * best_size) continue;
    best_blocks = blocks;
    best_size = threads;
  }
  *block_size = best_size;
  *min_grid_size = best_blocks * processors;
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid_size, int* block_size,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize shared_of,
                                                   size_t shared_bytes, int limit,
                                                   unsigned int flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return cuOccupancyMaxPotentialBlockSize(min_grid_size, block_size, function, shared_of,
                                          shared_bytes, limit);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, CUfunction function,
                                                 int block_count, int block_size) {
  return call(Needs::context, [&] {
    return cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, function, block_count,
                                                     block_size);
  });
}

CUresult cuOccupancyMaxPotentialClusterSize(int* cluster_size, CUfunction function,
                                            const CUlaunchConfig*) {
  return call(Needs::context, [&] {
    return cudaOccupancyMaxPotentialClusterSize(cluster_size, function, nullptr);
  });
}

CUresult cuOccupancyMaxActiveClusters(int* cluster_count, CUfunction function,
                                      const CUlaunchConfig*) {
  return call(Needs::context,
              [&] { return cudaOccupancyMaxActiveClusters(cluster_count, function, nullptr); });
}
