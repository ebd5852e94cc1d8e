// One value out of those of all threads of a group of lanes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cooperative_groups.h"

#ifdef __CUDACC__
#include "../gridspan/groups_algorithms.h"
#include "../gridspan/groups_operators.h"

namespace cooperative_groups {

/// Every thread gets the result. O(log size) shuffles.
template <unsigned int Size, class Parent, class T, class Operator>
GRIDSPAN_GROUP_FUNCTION details::of_one_warp<Size, T> reduce(
    const thread_block_tile<Size, Parent>& tile, T value, Operator&& combine) {
  for (unsigned int distance = Size / 2; distance != 0; distance /= 2)
    value = combine(value, tile.shfl_xor(value, distance));
  return value;
}
/// ... and an exchange through memory.
template <unsigned int Size, class Parent, class T, class Operator>
GRIDSPAN_GROUP_FUNCTION details::of_several_warps<Size, T> reduce(
    const thread_block_tile<Size, Parent>& tile, T value, Operator&& combine) {
  return tile.over_warps(reduce(details::own_warp(), value, combine), combine);
}
template <class T, class Operator>
GRIDSPAN_GROUP_FUNCTION T reduce(const coalesced_group& group, T value, Operator&& combine) {
  const unsigned int rank = group.thread_rank(), size = group.size();
  // After the turn of `distance`, a thread holds what the 2 * distance from it on have.
  for (unsigned int distance = 1; distance < size; distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank + distance < size) value = combine(value, other);
  }
  return group.shfl(value, 0);
}

/// The result goes to `*to`.
template <class Group, class T, class Value, class Operator>
GRIDSPAN_GROUP_FUNCTION void reduce_store_async(const Group& group, T* to, Value&& value,
                                                Operator&& combine) {
  const T result = reduce(group, T(value), combine);
  if (group.thread_rank() == 0) *to = result;
}

/// The result is combined with what the cuda::atomic has.
template <class Group, class Atomic, class Value, class Operator>
GRIDSPAN_GROUP_FUNCTION void reduce_update_async(const Group& group, Atomic& to, Value&& value,
                                                 Operator&& combine) {
  using T = typename Atomic::value_type;
  const T result = reduce(group, T(value), combine);
  if (group.thread_rank() == 0) details::update(to, result, combine);
}
/// The result goes to the cuda::atomic.
template <class Group, class Atomic, class Value, class Operator>
GRIDSPAN_GROUP_FUNCTION details::if_atomic<Atomic> reduce_store_async(const Group& group,
                                                                      Atomic& to, Value&& value,
                                                                      Operator&& combine) {
  using T = typename Atomic::value_type;
  const T result = reduce(group, T(value), combine);
  if (group.thread_rank() == 0) to.store(result);
}

}  // namespace cooperative_groups
#endif
