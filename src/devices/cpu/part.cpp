// One part of a launch while it runs: which blocks are left, and the first thing that went wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/part.h"

#include <algorithm>
#include <utility>

namespace gridspan::devices::cpu {

abi::Dim BlockGrid::at(std::uint64_t number) const {
  const std::uint64_t row = number / columns_;
  return {first_.x + static_cast<std::uint32_t>(number % columns_) * tile_.x,
          first_.y + static_cast<std::uint32_t>(row % rows_) * tile_.y,
          first_.z + static_cast<std::uint32_t>(row / rows_)};
}

TileChunk Part::claim(std::uint64_t divisor) {
  std::uint64_t begin = next_.load(std::memory_order_relaxed);
  for (;;) {
    if (begin >= size_) return {};
    const std::uint64_t count = std::max<std::uint64_t>(1, (size_ - begin) / divisor);
    if (next_.compare_exchange_weak(begin, begin + count, std::memory_order_relaxed)) {
      return {begin, begin + count};
    }
  }
}

void Part::report(RunResult result, bool stop) {
  const std::lock_guard lock(mutex_);
  if (result_.fault == Fault::none) result_ = std::move(result);
  if (stop) stopped_.store(true, std::memory_order_relaxed);
}

}  // namespace gridspan::devices::cpu
