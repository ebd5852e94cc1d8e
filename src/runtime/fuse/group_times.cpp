// The host's clock, or marks on the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/group_times.h"

#include <utility>

namespace gridspan::runtime::fuse {

using devices::Marking;
using devices::now_nanoseconds;

void GroupTimes::begin(std::int64_t since) {
  begin_ = now_nanoseconds();
  waited_ = 0;
  if (!queue_.only_begins()) return;
  const bool is_idle = queue_.is_done(queue_.mark(Marking::loose));
  if (is_idle && since != 0) waited_ = begin_ - since;
  first_ = queue_.mark_time();
}

void GroupTimes::end(GroupTry tried) {
  if (queue_.only_begins())
    intervals_.push_back({first_, queue_.mark_time(), waited_, std::move(tried)});
  else
    intervals_.push_back({0, 0, now_nanoseconds() - begin_, std::move(tried)});
}

void GroupTimes::settle(const std::function<void(const GroupTry&, std::int64_t)>& take) {
  while (!intervals_.empty()) {
    const auto& [first, last, others, tried] = intervals_.front();
    if (last != 0 && !queue_.is_done(last)) return;
    const std::int64_t between = last == 0 ? 0 : queue_.time_of(last) - queue_.time_of(first);
    take(tried, between + others);
    intervals_.pop_front();
  }
}

}  // namespace gridspan::runtime::fuse
