// The CPU device's memory: host memory, aligned and counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/address_pool.h"
#include "devices/cpu/mapped_blocks.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace gridspan::devices::cpu {

/// Thread safe.
class DeviceMemory {
 public:
  struct Options {
    /// `allocate` never hands out more than so much at a time.
    std::uint64_t capacity;
    /// Everything lies in pages of this device alone, which go back to Linux when freed. Else large
    /// allocations come from the heap, as the program's own memory does, and freed memory is kept
    /// at hand; the largest are mappings of their own.
    bool is_separate = false;
    int numa_node = -1;
  };
  explicit DeviceMemory(const Options& options);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Aligned to 256, blocks from own_pages on to pages; null when there is no room.
  void* allocate(std::size_t size);
  void free(void* memory);

  /// Address space, as devices::Device::reserve.
  void* reserve(std::size_t size);
  void release(void* memory, std::size_t size);

  bool protect(bool on);

 private:
  AddressPool& pool_for(std::size_t size);
  enum class Source { pool, heap, mapping };
  Source source(std::size_t size) const;
  void* take(std::size_t size);
  void give_back(void* memory, std::size_t size);

  const Options options_;
  AddressPool small_;
  AddressPool large_;
  std::mutex mutex_;  // of what follows
  MappedBlocks mapped_;
  std::uint64_t used_ = 0;
  std::unordered_map<void*, std::size_t> blocks_;  // allocated
};

}  // namespace gridspan::devices::cpu
