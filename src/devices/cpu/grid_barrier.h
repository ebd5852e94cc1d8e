// Where the blocks of a part meet that run on fibers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace gridspan::devices::cpu {

/// Opens when all blocks that have not left the kernel have arrived. Any thread may call.
class GridBarrier {
 public:
  explicit GridBarrier(std::uint64_t blocks) : inside_(blocks) {}

  /// A block arrives. It may go on as soon as `phase()` is no longer what this returns.
  std::uint32_t arrive() {
    const std::lock_guard lock(mutex_);
    const std::uint32_t mine = phase();
    ++waiting_;
    open_if_complete();
    return mine;
  }
  /// A block has left the kernel.
  void leave() {
    const std::lock_guard lock(mutex_);
    --inside_;
    open_if_complete();
  }
  std::uint32_t phase() const { return phase_.load(std::memory_order_acquire); }

 private:
  void open_if_complete() {
    if (waiting_ == 0 || waiting_ != inside_) return;
    waiting_ = 0;
    phase_.fetch_add(1, std::memory_order_release);
  }

  std::mutex mutex_;
  std::uint64_t inside_;
  std::uint64_t waiting_ = 0;
  std::atomic<std::uint32_t> phase_ = 0;
};

}  // namespace gridspan::devices::cpu
