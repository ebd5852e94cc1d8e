// A queue of events in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/event_times.h"

#include <algorithm>
#include <utility>

namespace gridspan::runtime {

void EventTimes::add(Sequence sequence, std::shared_ptr<EventMarks> marks) {
  const std::scoped_lock lock(mutex_);
  pending_.push_back({sequence, std::move(marks)});
  count_.store(pending_.size());
}

void EventTimes::settle(Sequence sequence) {
  if (count_.load() == 0) return;
  const std::scoped_lock lock(mutex_);
  while (!pending_.empty() && pending_.front().sequence <= sequence) {
    const EventMarks& marks = *pending_.front().marks;
    std::int64_t latest = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i)
      latest = std::max(latest, devices_[i]->time_of(marks.marks[i].load()));
    marks.event->nanoseconds.store(latest);
    pending_.pop_front();
  }
  count_.store(pending_.size());
}

}  // namespace gridspan::runtime
