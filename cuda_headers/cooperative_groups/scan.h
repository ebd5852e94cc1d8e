// Running results over the ranks of a group of lanes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cooperative_groups.h"

#ifdef __CUDACC__
#include "../gridspan/groups_algorithms.h"
#include "../gridspan/groups_operators.h"

namespace cooperative_groups {

/// Combines the values of ranks 0 .. own. O(log size) shuffles.
template <class Group, class T, class Operator>
GRIDSPAN_GROUP_FUNCTION details::in_one_warp<Group, T> inclusive_scan(const Group& group, T value,
                                                                      Operator&& combine) {
  const unsigned int rank = group.thread_rank();
  for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (rank >= distance) value = combine(before, value);
  }
  return value;
}
/// ... and an exchange through memory.
template <unsigned int Size, class Parent, class T, class Operator>
GRIDSPAN_GROUP_FUNCTION details::of_several_warps<Size, T> inclusive_scan(
    const thread_block_tile<Size, Parent>& tile, T value, Operator&& combine) {
  const auto warp = details::own_warp();
  const T own = inclusive_scan(warp, value, combine);
  return tile.behind_warps(warp.shfl(own, 31), own, true, combine);
}
template <class Group, class T>
GRIDSPAN_GROUP_FUNCTION T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// Combines the values of ranks 0 .. own - 1; rank 0 gets T().
template <class Group, class T, class Operator>
GRIDSPAN_GROUP_FUNCTION details::in_one_warp<Group, T> exclusive_scan(const Group& group, T value,
                                                                      Operator&& combine) {
  const T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <unsigned int Size, class Parent, class T, class Operator>
GRIDSPAN_GROUP_FUNCTION details::of_several_warps<Size, T> exclusive_scan(
    const thread_block_tile<Size, Parent>& tile, T value, Operator&& combine) {
  const auto warp = details::own_warp();
  const T all = inclusive_scan(warp, value, combine);
  const T before = warp.shfl_up(all, 1);
  const bool is_first = warp.thread_rank() == 0;
  return tile.behind_warps(warp.shfl(all, 31), is_first ? T() : before, !is_first, combine);
}
template <class Group, class T>
GRIDSPAN_GROUP_FUNCTION T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

/// The scan goes on from what the cuda::atomic has, which is combined with all values.
template <class Group, class Atomic, class Value, class Operator>
GRIDSPAN_GROUP_FUNCTION auto inclusive_scan_update(const Group& group, Atomic& from, Value&& value,
                                                   Operator&& combine) ->
    typename Atomic::value_type {
  using T = typename Atomic::value_type;
  const T own = inclusive_scan(group, T(value), combine);
  const unsigned int last = group.size() - 1;
  T before{};
  if (group.thread_rank() == last) before = details::update(from, own, combine);
  return combine(group.shfl(before, last), own);
}
template <class Group, class Atomic, class Value>
GRIDSPAN_GROUP_FUNCTION auto inclusive_scan_update(const Group& group, Atomic& from, Value&& value)
    -> typename Atomic::value_type {
  return inclusive_scan_update(group, from, value, plus<typename Atomic::value_type>());
}
template <class Group, class Atomic, class Value, class Operator>
GRIDSPAN_GROUP_FUNCTION auto exclusive_scan_update(const Group& group, Atomic& from, Value&& value,
                                                   Operator&& combine) ->
    typename Atomic::value_type {
  using T = typename Atomic::value_type;
  const T before_own = exclusive_scan(group, T(value), combine);
  const unsigned int rank = group.thread_rank(), last = group.size() - 1;
  T before{};
  if (rank == last) {
    const T all = last == 0 ? T(value) : combine(before_own, T(value));
    before = details::update(from, all, combine);
  }
  before = group.shfl(before, last);
  return rank == 0 ? before : combine(before, before_own);
}
template <class Group, class Atomic, class Value>
GRIDSPAN_GROUP_FUNCTION auto exclusive_scan_update(const Group& group, Atomic& from, Value&& value)
    -> typename Atomic::value_type {
  return exclusive_scan_update(group, from, value, plus<typename Atomic::value_type>());
}

}  // namespace cooperative_groups
#endif
