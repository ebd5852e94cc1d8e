// The CPU device's memory: host memory, aligned and counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/address_pool.h"
#include "devices/cpu/mapped_blocks.h"
#include "devices/device_memory.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace gridspan::devices::cpu {

/// Thread safe.
class CpuMemory final : public DeviceMemory {
 public:
  struct Options {
    /// `allocate` never hands out more than so much at a time.
    std::uint64_t capacity;
    /// Everything lies in pages of this device alone, which go back to Linux when freed, but for
    /// those of small ranges. Else large allocations come from the heap, as the program's own
    /// memory does, and freed memory is kept at hand; the largest are mappings of their own.
    bool is_separate = false;
    int numa_node = -1;
  };
  explicit CpuMemory(const Options& options);
  ~CpuMemory() override;
  CpuMemory(const CpuMemory&) = delete;
  CpuMemory& operator=(const CpuMemory&) = delete;

  /// Blocks from own_pages on are aligned to pages.
  void* allocate(std::size_t size) override;
  Beyond allocate_beyond(std::size_t, std::uint64_t) override { return {}; }
  void free(void* memory) override;
  std::uint64_t free_bytes() override { return unknown_bytes; }
  void* reserve(std::size_t size) override;
  void release(void* memory, std::size_t size) override;
  void discard(void* memory, std::size_t size) override { discard_pages(memory, size); }
  /// Linux gives pages when they are touched.
  std::size_t memory_unit(std::size_t) const override { return 0; }
  std::size_t commit(void*, std::size_t size) override { return size; }
  bool protect(bool on) override;
  RunResult copy_all(std::span<const BoxMove> moves) override;
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override;

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
