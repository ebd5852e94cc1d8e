// From moment to moment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/group_times.h"

#include <utility>

namespace gridspan::runtime::fuse {

void GroupTimes::begin(std::int64_t since) {
  waited_ = 0;
  if (place_.only_begins() && since != 0) {
    const std::int64_t now = devices::now_nanoseconds();
    if (place_.is_idle()) waited_ = now - since;
  }
  first_ = place_.mark_moment();
}

void GroupTimes::end(GroupTry tried) {
  intervals_.push_back({std::move(first_), place_.mark_moment(), waited_, std::move(tried)});
}

void GroupTimes::settle(const std::function<void(const GroupTry&, std::int64_t)>& take) {
  while (!intervals_.empty() && intervals_.front().last->is_reached()) {
    const Interval done = std::move(intervals_.front());
    intervals_.pop_front();
    take(done.tried, done.last->time() - done.first->time() + done.waited);
  }
}

}  // namespace gridspan::runtime::fuse
