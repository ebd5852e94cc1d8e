// The occupancy calculator: how many blocks of a kernel fit a multiprocessor, from plain numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that ask about GPUs that are not there, and for Thrust, which includes it. The rules
// are those of the CUDA C++ Programming Guide: warps get registers and blocks get shared memory in
// units, and the scarcest resource decides. cudaOccupancy… ask about the device that is there.
#pragma once

#include <limits.h>
#include <stddef.h>
#include <string.h>

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS = 0,
  CUDA_OCC_ERROR_INVALID_INPUT = 1,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0,
  CACHE_PREFER_SHARED = 1,
  CACHE_PREFER_L1 = 2,
  CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;

typedef enum cudaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100
} cudaOccCarveoutConfig;

typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF = 0,
  PARTITIONED_GC_ON = 1,
  PARTITIONED_GC_ON_STRICT = 2
} cudaOccPartitionedGCConfig;

typedef enum cudaOccFuncShmemConfig_enum {
  FUNC_SHMEM_LIMIT_DEFAULT = 0,
  FUNC_SHMEM_LIMIT_OPTIN = 1
} cudaOccFuncShmemConfig;

typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 0x01,
  OCC_LIMIT_REGISTERS = 0x02,
  OCC_LIMIT_SHARED_MEMORY = 0x04,
  OCC_LIMIT_BLOCKS = 0x08,
  OCC_LIMIT_BARRIERS = 0x10
} cudaOccLimitingFactor;

typedef struct cudaOccDeviceProp {
  int computeMajor, computeMinor;
  int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
  int regsPerBlock, regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin;
  size_t reservedSharedMemPerBlock;
#if defined(__cplusplus)
  cudaOccDeviceProp() { memset(this, 0, sizeof *this); }
  template <class Properties>
  cudaOccDeviceProp(const Properties& p)
      : computeMajor(p.major),
        computeMinor(p.minor),
        maxThreadsPerBlock(p.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor),
        regsPerBlock(p.regsPerBlock),
        regsPerMultiprocessor(p.regsPerMultiprocessor),
        warpSize(p.warpSize),
        sharedMemPerBlock(p.sharedMemPerBlock),
        sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor),
        numSms(p.multiProcessorCount),
        sharedMemPerBlockOptin(p.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(p.reservedSharedMemPerBlock) {}
#endif
} cudaOccDeviceProp;

typedef struct cudaOccFuncAttributes {
  int maxThreadsPerBlock, numRegs;
  size_t sharedSizeBytes;
  cudaOccPartitionedGCConfig partitionedGCConfig;
  cudaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes;
  int numBlockBarriers;
#if defined(__cplusplus)
  cudaOccFuncAttributes() { memset(this, 0, sizeof *this); }
  template <class Attributes>
  cudaOccFuncAttributes(const Attributes& a)
      : maxThreadsPerBlock(a.maxThreadsPerBlock),
        numRegs(a.numRegs),
        sharedSizeBytes(a.sharedSizeBytes),
        partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(a.maxDynamicSharedSizeBytes),
        numBlockBarriers(1) {}
#endif
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig;
  int carveoutConfig;
#if defined(__cplusplus)
  cudaOccDeviceState()
      : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
} cudaOccDeviceState;

typedef struct cudaOccResult {
  int activeBlocksPerMultiprocessor;
  unsigned int limitingFactors;  // cudaOccLimitingFactor
  int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock;
  cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

static inline size_t gridspan_occupancy_round_up(size_t number, size_t unit) {
  return (number + unit - 1) / unit * unit;
}

// Blocks that a multiprocessor of this generation can hold, whatever they use.
static inline int gridspan_occupancy_most_blocks(const cudaOccDeviceProp* device) {
  const int version = device->computeMajor * 10 + device->computeMinor;
  if (version == 75 || version == 86 || version == 87) return 16;
  return version == 89 || version >= 120 ? 24 : version < 50 ? 16 : 32;
}

static inline cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult* result, const cudaOccDeviceProp* device, const cudaOccFuncAttributes* kernel,
    const cudaOccDeviceState* state, int block_size, size_t dynamic_shared_size) {
  // Twice the blocks that any multiprocessor holds: "this resource does not limit".
  const int unlimited = 64;
  const int registers_at_once = 256, warps_at_once = 4;
  if (!result || !device || !kernel || !state || block_size <= 0 || device->warpSize <= 0) {
    return CUDA_OCC_ERROR_INVALID_INPUT;
  }
  if (device->computeMajor < 3) return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
  memset(result, 0, sizeof *result);
  const int warps = (block_size + device->warpSize - 1) / device->warpSize;

  const int fits_kernel =
      block_size <= device->maxThreadsPerBlock &&
      (kernel->maxThreadsPerBlock == 0 || block_size <= kernel->maxThreadsPerBlock);
  result->blockLimitWarps =
      fits_kernel ? device->maxThreadsPerMultiprocessor / device->warpSize / warps : 0;
  result->blockLimitBlocks = gridspan_occupancy_most_blocks(device);
  result->blockLimitBarriers = unlimited;

  const int registers_of_warp = (int)gridspan_occupancy_round_up(
      (size_t)kernel->numRegs * (size_t)device->warpSize, (size_t)registers_at_once);
  const int warps_of_block = (int)gridspan_occupancy_round_up((size_t)warps, (size_t)warps_at_once);
  result->allocatedRegistersPerBlock = registers_of_warp * warps_of_block;
  if (registers_of_warp == 0) {
    result->blockLimitRegs = unlimited;
  } else if (result->allocatedRegistersPerBlock <= device->regsPerBlock) {
    const int warps_that_fit = device->regsPerMultiprocessor / registers_of_warp;
    result->blockLimitRegs = warps_that_fit / warps_at_once * warps_at_once / warps;
  }

  const size_t shared_at_once = device->computeMajor >= 8 ? 128 : 256;
  const size_t shared = kernel->sharedSizeBytes + dynamic_shared_size;
  result->allocatedSharedMemPerBlock =
      gridspan_occupancy_round_up(shared + device->reservedSharedMemPerBlock, shared_at_once);
  const size_t most_shared = kernel->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN &&
                                     device->sharedMemPerBlockOptin > device->sharedMemPerBlock
                                 ? device->sharedMemPerBlockOptin
                                 : device->sharedMemPerBlock;
  if (result->allocatedSharedMemPerBlock == 0) {
    result->blockLimitSharedMem = unlimited;
  } else if (shared <= most_shared) {
    result->blockLimitSharedMem =
        (int)(device->sharedMemPerMultiprocessor / result->allocatedSharedMemPerBlock);
  }

  const int limits[] = {result->blockLimitWarps, result->blockLimitRegs,
                        result->blockLimitSharedMem, result->blockLimitBlocks,
                        result->blockLimitBarriers};
  const int count = (int)(sizeof limits / sizeof limits[0]);
  result->activeBlocksPerMultiprocessor = limits[0];
  for (int i = 1; i < count; ++i) {
    if (limits[i] < result->activeBlocksPerMultiprocessor) {
      result->activeBlocksPerMultiprocessor = limits[i];
    }
  }
  for (int i = 0; i < count; ++i) {
    if (limits[i] == result->activeBlocksPerMultiprocessor) result->limitingFactors |= 1u << i;
  }
  return CUDA_OCC_SUCCESS;
}

// The block size with the most threads at a time; of several the largest.
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int* grid_size, int* best_block_size, const cudaOccDeviceProp* device,
    const cudaOccFuncAttributes* kernel, const cudaOccDeviceState* state,
    size_t (*shared_size_of)(int), size_t dynamic_shared_size) {
  if (!grid_size || !best_block_size || !device || !kernel || device->warpSize <= 0) {
    return CUDA_OCC_ERROR_INVALID_INPUT;
  }
  int most = device->maxThreadsPerBlock;
  if (kernel->maxThreadsPerBlock != 0 && kernel->maxThreadsPerBlock < most) {
    most = kernel->maxThreadsPerBlock;
  }
  int most_threads = 0;
  for (int size = most / device->warpSize * device->warpSize; size > 0; size -= device->warpSize) {
    cudaOccResult result;
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, device, kernel, state, size,
        shared_size_of ? shared_size_of(size) : dynamic_shared_size);
    if (error != CUDA_OCC_SUCCESS) return error;
    if (result.activeBlocksPerMultiprocessor * size > most_threads) {
      most_threads = result.activeBlocksPerMultiprocessor * size;
      *best_block_size = size;
      *grid_size = result.activeBlocksPerMultiprocessor * device->numSms;
    }
  }
  return most_threads > 0 ? CUDA_OCC_SUCCESS : CUDA_OCC_ERROR_INVALID_INPUT;
}
