// What reductions and scans have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "groups_partition.h"
#include "groups_tile.h"

#include <type_traits>

namespace cooperative_groups {
namespace details {

/// T, where a tile of this size lies within a warp, or does not.
template <unsigned int Size, class T>
using of_one_warp = typename std::enable_if<(Size <= 32), T>::type;
template <unsigned int Size, class T>
using of_several_warps = typename std::enable_if<(Size > 32), T>::type;

template <class Group>
struct is_large : std::false_type {};
template <unsigned int Size, class Parent>
struct is_large<thread_block_tile<Size, Parent>> : std::integral_constant<bool, (Size > 32)> {};
template <class Group, class T>
using in_one_warp = typename std::enable_if<!is_large<Group>::value, T>::type;

/// Where a group algorithm takes a cuda::atomic.
template <class Atomic, class = typename Atomic::value_type>
using if_atomic = void;

/// The warp of the calling thread, all lanes of which are there.
GRIDSPAN_GROUP_FUNCTION thread_block_tile<32, void> own_warp() {
  return tile_maker::make<32, void>(0, 1, nullptr);
}

/// The atomic's value becomes `combine(value, more)`; returns it as it was.
template <class Atomic, class T, class Operator>
GRIDSPAN_GROUP_FUNCTION T update(Atomic& place, const T& more, Operator&& combine) {
  T before = place.load();
  while (!place.compare_exchange_weak(before, combine(before, more))) {
  }
  return before;
}

}  // namespace details
}  // namespace cooperative_groups
