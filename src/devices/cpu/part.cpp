// One part of a launch while it runs: which blocks are left, and the first thing that went wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/part.h"

#include <utility>

namespace gridspan::devices::cpu {

abi::Dim BlockGrid::at(std::uint64_t number) const {
  const std::uint64_t inner = tile_.goes_down ? rows_ : columns_,
                      outer = tile_.goes_down ? columns_ : rows_;
  std::uint64_t x = number % inner, y = number / inner % outer;
  if (tile_.goes_down) std::swap(x, y);
  return {first_.x + static_cast<std::uint32_t>(x) * tile_.x,
          first_.y + static_cast<std::uint32_t>(y) * tile_.y,
          first_.z + static_cast<std::uint32_t>(number / inner / outer)};
}

void Part::report(RunResult result, bool stop) {
  const std::lock_guard lock(mutex_);
  if (result_.fault == Fault::none) result_ = std::move(result);
  if (stop) stopped_.store(true, std::memory_order_relaxed);
}

}  // namespace gridspan::devices::cpu
