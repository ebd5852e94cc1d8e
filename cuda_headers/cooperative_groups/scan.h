// Running results over the ranks of a group of lanes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cooperative_groups.h"
#include "../gridspan/groups_operators.h"

namespace cooperative_groups {

/// Combines the values of ranks 0 .. own. O(log size) shuffles.
template <class Group, class T, class Operator>
GRIDSPAN_GROUP_FUNCTION T inclusive_scan(const Group& group, T value, Operator&& combine) {
  const unsigned int rank = group.thread_rank();
  for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (rank >= distance) value = combine(before, value);
  }
  return value;
}
template <class Group, class T>
GRIDSPAN_GROUP_FUNCTION T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// Combines the values of ranks 0 .. own - 1; rank 0 gets T().
template <class Group, class T, class Operator>
GRIDSPAN_GROUP_FUNCTION T exclusive_scan(const Group& group, T value, Operator&& combine) {
  const T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
GRIDSPAN_GROUP_FUNCTION T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
