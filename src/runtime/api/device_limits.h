// cudaLimit values and cache settings: what a program set is what it reads back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/cuda_api.h"

#include <array>
#include <atomic>
#include <cstddef>

namespace gridspan::runtime {

struct DeviceLimits {
  static constexpr std::size_t limit_count = cudaLimitPersistingL2CacheSize + 1;
  // In the order of cudaLimit; the numbers are CUDA's defaults.
  std::array<std::atomic<std::size_t>, limit_count> values{
      {1024, std::size_t{1} << 20, std::size_t{8} << 20, 2, 2048, 64, 0}};
  std::atomic<cudaFuncCache> cache{cudaFuncCachePreferNone};
  std::atomic<cudaSharedMemConfig> banks{cudaSharedMemBankSizeFourByte};
};

}  // namespace gridspan::runtime
