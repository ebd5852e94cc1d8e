// Occupancy by kernel: how many blocks fit, and which block size fills the device best.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cuda_runtime_api.h"

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* block_count,
                                                                        T function, int block_size,
                                                                        size_t shared_bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      block_count, (const void*)function, block_size, shared_bytes, cudaOccupancyDefault);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* block_count, T function, int block_size, size_t shared_bytes, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      block_count, (const void*)function, block_size, shared_bytes, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes,
                                                                    T* function, int block_count,
                                                                    int block_size) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, (const void*)function,
                                                     block_count, block_size);
}

// The block size, a multiple of the warp size, that keeps most threads resident on one
// multiprocessor; the larger one of equals. `shared_of(block_size)` is the dynamic shared memory a
// block of that size asks for; `limit` = 0 means the kernel's own limit.
template <class SharedOf, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* min_grid_size, int* block_size, T function, SharedOf shared_of, int limit = 0,
    unsigned int flags = 0) {
  if (!min_grid_size || !block_size || !function) return cudaErrorInvalidValue;
  int device = 0, multiprocessors = 0, warp = 0, device_limit = 0, threads_per_processor = 0;
  struct cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&device_limit, cudaDevAttrMaxThreadsPerBlock, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&threads_per_processor, cudaDevAttrMaxThreadsPerMultiProcessor,
                                     device);
  if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, (const void*)function);
  if (error != cudaSuccess) return error;

  if (attributes.maxThreadsPerBlock < device_limit) device_limit = attributes.maxThreadsPerBlock;
  if (limit <= 0 || limit > device_limit) limit = device_limit;
  int best_threads = 0;
  int aligned = (limit + warp - 1) / warp * warp;
  for (int candidate = aligned; candidate > 0; candidate -= warp) {
    int threads = candidate < limit ? candidate : limit;
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void*)function, threads, (size_t)shared_of(threads), flags);
    if (error != cudaSuccess) return error;
    if (blocks * threads > best_threads) {
      best_threads = blocks * threads;
      *block_size = threads;
      *min_grid_size = blocks * multiprocessors;
    }
    if (best_threads >= threads_per_processor) break;
  }
  return best_threads ? cudaSuccess : cudaErrorInvalidConfiguration;
}
template <class SharedOf, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int* min_grid_size, int* block_size, T function, SharedOf shared_of, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size,
                                                                 function, shared_of, limit);
}

namespace __gridspan {
struct SameShared {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};
}  // namespace __gridspan

template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid_size,
                                                                      int* block_size, T function,
                                                                      size_t shared_bytes = 0,
                                                                      int limit = 0,
                                                                      unsigned int flags = 0) {
  __gridspan::SameShared same = {shared_bytes};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size,
                                                                 function, same, limit, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size,
                                                             T function, size_t shared_bytes = 0,
                                                             int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, function,
                                                     shared_bytes, limit);
}
