// Looks again and again: a program's own wait would end the window.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/pace.h"

#include <thread>

namespace gridspan::runtime::fuse {

void Pace::keep() {
  using Clock = std::chrono::steady_clock;
  if (left_.count() <= 0) return;
  begun_.push_back(place_.mark_moment());
  for (; begun_.size() > windows_ahead; begun_.pop_front()) {
    const auto begin = Clock::now();
    while (!begun_.front()->is_reached() && Clock::now() - begin < left_)
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    left_ -= Clock::now() - begin;
  }
}

}  // namespace gridspan::runtime::fuse
