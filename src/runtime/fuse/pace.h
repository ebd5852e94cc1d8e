// Keeps the program from running far ahead of a device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device that only begins work takes all launches of a loop within microseconds. While a plan for
// them is made, or one is tried, they would all be gone.
#pragma once

#include "runtime/schedule/group_place.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>

namespace gridspan::runtime::fuse {

/// Used by one thread at a time.
class Pace {
 public:
  explicit Pace(GroupPlace& place) : place_(place) {}

  /// Another window comes. Waits until the device has no more than two before it to do, for so long
  /// in all as a program may lose by it: it has less time for work of its own beside.
  void keep();

 private:
  static constexpr std::size_t windows_ahead = 2;
  GroupPlace& place_;
  std::deque<std::unique_ptr<Moment>> begun_;  // before each of the last windows
  std::chrono::nanoseconds left_ = std::chrono::milliseconds(100);
};

}  // namespace gridspan::runtime::fuse
