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

/// The place of an event on each device, filled when that is reached or told of it.
struct EventMarks {
  explicit EventMarks(std::shared_ptr<EventRecord> event_, std::size_t devices)
      : event(std::move(event_)), marks(devices) {}
  std::shared_ptr<EventRecord> event;
  std::vector<std::atomic<devices::Mark>> marks;  // of mark_time()
  Sequence sequence = 0;                          // of the record
};

/// Events that have no time yet. Any thread, but for `add`.
class EventTimes {
 public:
  /// The devices of `EventMarks::marks`; they outlive this.
  explicit EventTimes(std::vector<devices::Device*> devices) : devices_(std::move(devices)) {}

  /// In the order of commands.
  void add(Sequence sequence, std::shared_ptr<EventMarks> marks);
  /// Tells events that every device has come to when the last one did.
  void settle();

 private:
  bool is_reached(const EventMarks& marks) const;

  const std::vector<devices::Device*> devices_;
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;
  std::deque<std::shared_ptr<EventMarks>> pending_;
};

}  // namespace gridspan::runtime
