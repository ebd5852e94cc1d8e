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

bool EventTimes::is_reached(const EventMarks& marks) {
  return std::ranges::all_of(marks.places, [](const EventMarks::Place& place) {
    const devices::Mark mark = place.mark.load();
    return mark != 0 && place.device->queue().is_done(mark);
  });
}

std::int64_t EventTimes::time_of(const EventMarks& marks) {
  std::int64_t latest = 0;
  for (const EventMarks::Place& place : marks.places)
    latest = std::max(latest, place.device->queue().time_of(place.mark.load()));
  return latest;
}

void EventTimes::settle() {
  if (count_.load() == 0) return;
  const std::scoped_lock lock(mutex_);
  std::erase_if(pending_, [](const auto& marks) {
    if (!is_reached(*marks)) return false;
    const std::int64_t time = time_of(*marks);
    if (marks->sequence < marks->event->reached.load()) return true;  // recorded again meanwhile
    marks->event->nanoseconds.store(time);
    marks->event->reached.store(marks->sequence);
    return true;
  });
  count_.store(pending_.size());
}

}  // namespace gridspan::runtime
