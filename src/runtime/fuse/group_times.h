// How long groups of launches took on a device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/command_queue.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>

namespace gridspan::runtime::fuse {

/// A group that was run one of its ways.
struct GroupTry {
  std::string key;
  std::uint64_t plan;  // which one of the key's plans
  std::size_t way;
};

/// Where the device only begins work, it notes when it comes to marks around the group: times are
/// known some groups later. Used by one thread at a time.
class GroupTimes {
 public:
  explicit GroupTimes(devices::CommandQueue& queue) : queue_(queue) {}

  /// The group begins now, on the queue's line. `since`: when its first launch could have begun
  /// (nanoseconds; 0: nobody noted), which counts if the device had nothing to do meanwhile.
  void begin(std::int64_t since);
  /// All of it has been begun.
  void end(GroupTry tried);
  /// Hands over what is known by now, once each.
  void settle(const std::function<void(const GroupTry&, std::int64_t nanoseconds)>& take);

 private:
  struct Interval {
    devices::Mark first, last;  // 0: the times are known
    std::int64_t nanoseconds;   // that count besides
    GroupTry tried;
  };
  devices::CommandQueue& queue_;
  std::int64_t begin_ = 0;   // of the group that runs: nanoseconds
  std::int64_t waited_ = 0;  // before it
  devices::Mark first_ = 0;  // before it
  std::deque<Interval> intervals_;
};

}  // namespace gridspan::runtime::fuse
