// A GPU's memory: address ranges with memory behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver gives out memory in units of 2 MiB or so (GpuContext::granularity). What is as large
// has a range of its own; smaller pieces share slabs, which are kept.
#pragma once

#include "devices/cuda/gpu_context.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>

namespace gridspan::devices::cuda {

/// Thread safe.
class GpuMemory {
 public:
  /// Never takes more than `capacity` bytes of the GPU.
  GpuMemory(const GpuContext& gpu, std::uint64_t capacity) : gpu_(gpu), capacity_(capacity) {}

  /// `size` bytes aligned to `alignment`, a power of two up to 4096; null when there is no room.
  void* take(std::size_t size, std::size_t alignment);
  /// Nothing uses it any more.
  void give_back(void* memory);

  /// It is in memory that was taken.
  bool holds(const void* address) const;

 private:
  static constexpr std::size_t slab_bytes = std::size_t{32} << 20;

  // These expect the lock.
  Address map_range(std::size_t bytes);
  void unmap_range(Address base, std::size_t bytes);
  Address take_small(std::size_t size, std::size_t alignment);
  Address find_free(std::size_t size, std::size_t alignment);
  void add_free(Address base, std::size_t bytes);

  const GpuContext& gpu_;
  const std::uint64_t capacity_;
  mutable std::mutex mutex_;
  std::uint64_t used_ = 0;                           // bytes of ranges
  std::map<Address, std::size_t> ranges_;            // all of them
  std::unordered_map<Address, Physical> physical_;   // by range
  std::map<Address, std::size_t> free_;              // in slabs; neighbours are joined
  std::unordered_map<Address, std::size_t> blocks_;  // in slabs, taken
};

}  // namespace gridspan::devices::cuda
