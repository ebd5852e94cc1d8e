// A GPU's memory: address ranges with memory behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver gives out memory in units of 2 MiB or so (GpuContext::granularity). What is as large
// has a range of its own; smaller pieces share slabs, which are kept. A range has memory in one
// piece, or in units that come and go. Where the GPU has too little, the last units of a range are
// the host's: kernels and copies reach them over the bus, at the addresses that they would have.
//
//     range  [gpu][gpu][gpu][host][host]
#pragma once

#include "devices/cuda/gpu_context.h"
#include "devices/device_memory.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace gridspan::devices::cuda {

/// Thread safe.
class GpuMemory {
 public:
  /// Never takes more than `capacity` bytes of the GPU.
  GpuMemory(const GpuContext& gpu, std::uint64_t capacity) : gpu_(gpu), capacity_(capacity) {}

  /// `size` bytes aligned to `alignment`, a power of two up to 4096; null when there is no room.
  void* take(std::size_t size, std::size_t alignment);
  /// The same with at most so many bytes of the host's memory, for what the GPU has no room for.
  DeviceMemory::Beyond take_beyond(std::size_t size, std::size_t alignment,
                                   std::uint64_t host_bytes);
  /// Nothing uses it any more.
  void give_back(void* memory);

  /// The same without memory: see Device::reserve, memory_unit, commit and discard.
  void* reserve(std::size_t size, std::size_t alignment);
  std::size_t unit(std::size_t size) const;
  std::size_t commit(void* memory, std::size_t size);
  void discard(void* memory, std::size_t size);

  /// Bytes that could still be taken, in however many pieces: what the GPU has left, other
  /// processes or not, within the capacity, and what slabs have left.
  std::uint64_t free_bytes() const;

  /// Another GPU, one of peers().users() by now, may use what is there, too.
  void admit(Gpu user);

  /// It is in memory that was taken.
  bool holds(const void* address) const;

 private:
  static constexpr std::size_t slab_bytes = std::size_t{32} << 20;

  struct Range {
    std::size_t bytes;
    std::size_t unit;                // of `physical`; the last may be shorter
    std::vector<Physical> physical;  // 0: there is none
    std::size_t own;                 // units of the GPU; those behind them are the host's
    std::size_t length(std::size_t index) const;
    std::size_t length(std::size_t first, std::size_t end) const;
  };
  using Ranges = std::map<Address, Range>;

  // These expect the lock.
  Address map_range(std::size_t bytes);
  Address map_beyond(std::size_t bytes, std::uint64_t host_bytes,
                     std::unique_lock<std::mutex>& lock);
  std::uint64_t room() const;
  Ranges::iterator add_range(std::size_t bytes, std::size_t unit);
  void remove_range(Ranges::iterator range);
  std::size_t map_units(Ranges::iterator range, std::size_t first, std::size_t end);
  bool allow(Ranges::iterator range, std::size_t first, std::size_t end);
  bool allow(const Ranges::value_type& range, std::size_t first, std::size_t end,
             const std::vector<Access>& users) const;
  bool map_unit(Ranges::iterator range, std::size_t index);
  bool map_made(Ranges::iterator range, std::size_t index, Physical made);
  bool unmap_unit(Ranges::iterator range, std::size_t index);
  Address take_small(std::size_t size, std::size_t alignment);
  using FreeSpace = std::map<Address, std::size_t>;
  Address find_free(FreeSpace& free, std::size_t size, std::size_t alignment);
  static void add_free(FreeSpace& free, Address base, std::size_t bytes);
  FreeSpace& free_space_at(Address address);

  const GpuContext& gpu_;
  const std::uint64_t capacity_;
  mutable std::mutex mutex_;
  std::uint64_t used_ = 0;                           // bytes of the GPU's memory
  Ranges ranges_;                                    // all of them, by base
  FreeSpace free_;                                   // in slabs; neighbours are joined
  FreeSpace free_in_host_;                           // the same of slabs of the host's memory
  std::unordered_map<Address, std::size_t> blocks_;  // in slabs, taken
};

}  // namespace gridspan::devices::cuda
