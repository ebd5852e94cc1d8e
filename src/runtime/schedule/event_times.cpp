// A queue of events in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/event_times.h"

#include <algorithm>
#include <utility>

namespace gridspan::runtime {

void EventTimes::add(Sequence sequence, std::shared_ptr<EventMarks> marks) {
  marks->sequence = sequence;
  const std::scoped_lock lock(mutex_);
  pending_.push_back(std::move(marks));
  count_.store(pending_.size());
}

bool EventTimes::is_reached(const EventMarks& marks) const {
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const devices::Mark mark = marks.marks[i].load();
    if (mark == 0 || !devices_[i]->is_done(mark)) return false;
  }
  return true;
}

void EventTimes::settle() {
  if (count_.load() == 0) return;
  const std::scoped_lock lock(mutex_);
  std::erase_if(pending_, [this](const auto& marks) {
    if (!is_reached(*marks)) return false;
    std::int64_t latest = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i)
      latest = std::max(latest, devices_[i]->time_of(marks->marks[i].load()));
    marks->event->nanoseconds.store(latest);
    marks->event->reached.store(marks->sequence);
    return true;
  });
  count_.store(pending_.size());
}

}  // namespace gridspan::runtime
