// Blocks of a part that have begun and not ended, on all workers together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of some kernels wait in loops for what others do. They begin in linear order, and a worker
// starts with one; when all its blocks only go round their loops it begins another, as long as the
// device as a whole holds no more blocks and threads than its workers may (cpu_device.h). Beyond
// that the kernel waits in vain, as it would on a GPU.
#pragma once

#include "devices/cpu/part.h"

#include <atomic>
#include <cstdint>

namespace gridspan::devices::cpu {

/// Shared by all workers that run the part.
class Residency {
 public:
  Residency(const Part& part, unsigned workers);

  /// Blocks that may have begun and not ended.
  std::uint32_t most() const { return most_; }
  /// Room for one more block on a worker that has some already.
  bool reserve();
  /// A worker that has none begins a block.
  void admit() { resident_.fetch_add(1, std::memory_order_relaxed); }
  void release() { resident_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  std::uint32_t most_;
  std::atomic<std::uint32_t> resident_ = 0;
};

}  // namespace gridspan::devices::cpu
