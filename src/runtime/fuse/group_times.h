// How long groups of launches took.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/group_place.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace gridspan::runtime::fuse {

/// A group that was run one of its ways.
struct GroupTry {
  std::string key;
  std::uint64_t plan;  // which one of the key's plans
  std::size_t way;
};

/// Where launches are only begun, times are known some groups later. Used by one thread at a time.
class GroupTimes {
 public:
  explicit GroupTimes(GroupPlace& place) : place_(place) {}

  /// The group begins now. `since`: when its first launch could have begun (nanoseconds; 0: nobody
  /// noted), which counts if there was nothing to do meanwhile.
  void begin(std::int64_t since);
  /// All of it has been begun.
  void end(GroupTry tried);
  /// Hands over what is known by now, once each.
  void settle(const std::function<void(const GroupTry&, std::int64_t nanoseconds)>& take);

 private:
  struct Interval {
    std::unique_ptr<Moment> first, last;
    std::int64_t waited;  // nanoseconds that count besides
    GroupTry tried;
  };
  GroupPlace& place_;
  std::int64_t waited_ = 0;        // before the group that runs
  std::unique_ptr<Moment> first_;  // before it
  std::deque<Interval> intervals_;
};

}  // namespace gridspan::runtime::fuse
