// Cutting a group into smaller ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "groups_generic.h"

namespace cooperative_groups {
namespace details {

/// The part of `size` ranks that the calling thread is in.
GRIDSPAN_DEVICE coalesced_group part_of(unsigned int mask, unsigned int size) {
  const unsigned int part = rank_in(mask, lane()) / size;
  return coalesced_group(ranks_of(mask, part * size, size), part,
                         (count_bits(mask) + size - 1) / size);
}

/// Parts by bits of a number that is equal within each; `first` of the mask are in the lowest.
GRIDSPAN_DEVICE coalesced_group part_with(unsigned int mask, unsigned int same) {
  unsigned int leaders = 0;  // one lane of each part: the lowest
  const unsigned int leader = same & -same;
  for (unsigned int rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned int at = (unsigned int)__builtin_ctz(rest);
    leaders |= __shfl_sync(mask, leader, (int)at);
  }
  return coalesced_group(same, count_bits(leaders & (leader - 1)), count_bits(leaders));
}

}  // namespace details

template <unsigned int Size>
GRIDSPAN_GROUP_FUNCTION thread_block_tile<Size, thread_block> tiled_partition(
    const thread_block& block) {
  return details::tile_maker::make<Size, thread_block>(
      block.thread_rank() / Size, (block.size() + Size - 1) / Size, block.gridspan_memory());
}
template <unsigned int Size, unsigned int ParentSize, class Parent>
GRIDSPAN_GROUP_FUNCTION thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>
tiled_partition(const thread_block_tile<ParentSize, Parent>& tile) {
  static_assert(Size <= ParentSize, "a tile is not larger than what it is cut from");
  return details::tile_maker::make<Size, thread_block_tile<ParentSize, Parent>>(
      tile.thread_rank() / Size, ParentSize / Size, tile.gridspan_memory());
}
template <unsigned int Size>
GRIDSPAN_GROUP_FUNCTION thread_block_tile<Size> tiled_partition(const thread_group& group) {
  static_assert(Size <= 32, "tiles of more than a warp are cut from a thread_block");
  return details::tile_maker::make<Size, void>(group.thread_rank() / Size,
                                               (group.size() + Size - 1) / Size, nullptr);
}

GRIDSPAN_GROUP_FUNCTION coalesced_group tiled_partition(const coalesced_group& group,
                                                        unsigned int size) {
  return details::part_of(group.gridspan_mask(), size);
}
/// `size` is a power of two, at most 32.
GRIDSPAN_GROUP_FUNCTION thread_group tiled_partition(const thread_group& group, unsigned int size) {
  if (group.gridspan_mask() != 0) return details::part_of(group.gridspan_mask(), size);
  const unsigned int first = details::lane() & ~(size - 1);
  return coalesced_group(details::bits_below(size) << first, group.thread_rank() / size,
                         (group.size() + size - 1) / size);
}

/// By the truth of a predicate: the threads where it is false are part 0.
template <class Group>
GRIDSPAN_GROUP_FUNCTION coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int mask = group.gridspan_mask();
  const unsigned int yes = __ballot_sync(mask, predicate) & mask;
  const bool both = yes != 0 && yes != mask;
  return coalesced_group(predicate ? yes : mask & ~yes, predicate && both, both ? 2 : 1);
}

#if GRIDSPAN_ARCH_AT_LEAST(700)
/// By equal labels.
template <class Group, class Label>
GRIDSPAN_GROUP_FUNCTION coalesced_group labeled_partition(const Group& group, Label label) {
  const unsigned int mask = group.gridspan_mask();
  return details::part_with(mask, __match_any_sync(mask, label) & mask);
}
#endif

// Where CUDA 11 had what is new.
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;
}  // namespace experimental

}  // namespace cooperative_groups
