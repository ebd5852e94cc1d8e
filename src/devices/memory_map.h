// What the checks of interpret mode ask about memory that kernels touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gridspan::devices {

/// An allocation, or a variable of a module. It is never destroyed, so that whoever found it may
/// keep it at hand: when the memory goes, its size becomes 0.
struct KnownMemory {
  explicit KnownMemory(std::uintptr_t begin, std::uint64_t bytes) : base(begin), size(bytes) {}

  const std::uintptr_t base;
  std::atomic<std::uint64_t> size;
  bool is_heap = false;  // device code's own

  bool holds(std::uintptr_t address, std::uint64_t bytes) const {
    const std::uint64_t all = size.load(std::memory_order_relaxed);
    return bytes <= all && address - base <= all - bytes;
  }
};

/// Thread safe.
class MemoryMap {
 public:
  virtual ~MemoryMap() = default;

  /// What holds `address` now; null: nothing does.
  virtual const KnownMemory* find(std::uintptr_t address) = 0;

  /// Of an access that is refused: what is wrong with these addresses, and behind a line break each
  /// the lines that say where the memory next to them comes from.
  struct Relation {
    std::string what;   // "0 bytes behind the end of the 400 bytes at 0x7f..."
    std::string notes;  // lines, each with its line break
  };
  virtual Relation relation(std::uintptr_t address, std::uint64_t size) = 0;
  /// The same of an access that leaves `known`, whatever memory it leads to.
  virtual Relation relation(const KnownMemory& known, std::uintptr_t address,
                            std::uint64_t size) = 0;

  /// Device code's own heap.
  virtual void heap_allocated(const void* memory, std::uint64_t size) = 0;
  virtual void heap_freed(const void* memory) = 0;
};

}  // namespace gridspan::devices
