// When events were reached by devices that only begin what they are told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/schedule/command.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace gridspan::runtime {

/// The places of an event on devices, filled when these are reached or told of it.
struct EventMarks {
  struct Place {
    devices::Device* device = nullptr;
    std::atomic<devices::Mark> mark = 0;  // of mark_time()
  };
  EventMarks(std::shared_ptr<EventRecord> event_, std::size_t count)
      : event(std::move(event_)), places(count) {}
  std::shared_ptr<EventRecord> event;
  std::vector<Place> places;
  Sequence sequence = 0;  // of the record
};

/// Events that have no time yet. Any thread, but for `add`.
class EventTimes {
 public:
  /// In the order of commands.
  void add(Sequence sequence, std::shared_ptr<EventMarks> marks);
  /// Tells events that every place is passed of when the last one was.
  void settle();

  static bool is_reached(const EventMarks& marks);
  /// When the last place was, once all are. Once.
  static std::int64_t time_of(const EventMarks& marks);

 private:
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;
  std::deque<std::shared_ptr<EventMarks>> pending_;
};

}  // namespace gridspan::runtime
