// A group of any kind: what the functions that take every group see.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "groups_block.h"
#include "groups_coalesced.h"
#include "groups_tile.h"

namespace cooperative_groups {

class thread_group {
 public:
  GRIDSPAN_GROUP_FUNCTION thread_group(const thread_block&) : mask_(0) {}
  GRIDSPAN_GROUP_FUNCTION thread_group(const coalesced_group& group)
      : mask_(group.gridspan_mask()) {}
  template <unsigned int Size, class Parent>
  GRIDSPAN_GROUP_FUNCTION thread_group(const thread_block_tile<Size, Parent>& tile)
      : mask_(tile.gridspan_mask()) {}

  GRIDSPAN_GROUP_FUNCTION void sync() const {
    if (mask_ == 0)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  GRIDSPAN_GROUP_FUNCTION unsigned int num_threads() const {
    return mask_ == 0 ? thread_block::num_threads() : details::count_bits(mask_);
  }
  GRIDSPAN_GROUP_FUNCTION unsigned int size() const { return num_threads(); }
  GRIDSPAN_GROUP_FUNCTION unsigned int thread_rank() const {
    return mask_ == 0 ? thread_block::thread_rank() : details::rank_in(mask_, details::lane());
  }

  /// The lanes; 0: the whole block.
  GRIDSPAN_GROUP_FUNCTION unsigned int gridspan_mask() const { return mask_; }

 private:
  unsigned int mask_;
};

/// The calling thread alone.
GRIDSPAN_GROUP_FUNCTION thread_group this_thread() {
  return coalesced_group(1u << details::lane());
}

template <class Group>
GRIDSPAN_GROUP_FUNCTION void sync(const Group& group) {
  group.sync();
}
template <class Group>
GRIDSPAN_GROUP_FUNCTION unsigned int thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
GRIDSPAN_GROUP_FUNCTION unsigned int group_size(const Group& group) {
  return group.size();
}

/// Calls `function` in one thread of the group.
template <class Group, class Function, class... Arguments>
GRIDSPAN_GROUP_FUNCTION void invoke_one(const Group& group, Function&& function,
                                        Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
/// ... and hands its result to all.
template <class Group, class Function, class... Arguments>
GRIDSPAN_GROUP_FUNCTION auto invoke_one_broadcast(const Group& group, Function&& function,
                                                  Arguments&&... arguments)
    -> decltype(function(static_cast<Arguments&&>(arguments)...)) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
