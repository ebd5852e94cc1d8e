// The largest blocks: each a mapping of its own, and a fault for a while after it was freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that uses freed memory is a fault on a GPU. Here Linux hands freed addresses to the next
// thread that needs a heap or a stack, and the kernel writes into that. So the addresses of freed
// blocks stay reserved, without memory, until many more blocks have been freed.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

namespace gridspan::devices::cpu {

/// Not thread safe.
class MappedBlocks {
 public:
  MappedBlocks();
  ~MappedBlocks();
  MappedBlocks(const MappedBlocks&) = delete;
  MappedBlocks& operator=(const MappedBlocks&) = delete;

  /// The C library maps blocks of this size and more, too: they gain nothing from its heap.
  static constexpr std::size_t least = std::size_t{32} << 20;

  /// Zeroed, aligned to 2 MiB, in huge pages if Linux has some, with a margin in front; null
  /// without room. `size` > 0.
  void* map(std::size_t size);
  /// `block`, `bytes`: as mapped. The memory goes back to Linux at once.
  void unmap(void* block, std::size_t bytes);

 private:
  void forget_oldest();

  const bool keeps_addresses_;
  std::deque<std::pair<void*, std::size_t>> freed_;  // oldest first
  std::size_t freed_bytes_ = 0;
};

}  // namespace gridspan::devices::cpu
