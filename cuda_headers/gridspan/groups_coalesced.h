// Groups of any lanes of one warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "groups_lanes.h"

namespace cooperative_groups {

class coalesced_group {
 public:
  /// The lanes of `mask`, the calling one among them; part `meta_rank` of `meta_size`.
  GRIDSPAN_GROUP_FUNCTION explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0,
                                                   unsigned int meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  GRIDSPAN_GROUP_FUNCTION void sync() const { __syncwarp(mask_); }
  GRIDSPAN_GROUP_FUNCTION unsigned int num_threads() const { return details::count_bits(mask_); }
  GRIDSPAN_GROUP_FUNCTION unsigned int size() const { return num_threads(); }
  GRIDSPAN_GROUP_FUNCTION unsigned int thread_rank() const {
    return details::rank_in(mask_, details::lane());
  }
  GRIDSPAN_GROUP_FUNCTION unsigned int meta_group_rank() const { return meta_rank_; }
  GRIDSPAN_GROUP_FUNCTION unsigned int meta_group_size() const { return meta_size_; }

  /// The value of the thread of rank `rank`.
  template <class T>
  GRIDSPAN_GROUP_FUNCTION T shfl(const T& value, int rank) const {
    return from_lane(value, details::lane_of(mask_, (unsigned int)rank));
  }
  /// Of the thread `delta` ranks up or down; the own value where there is none.
  template <class T>
  GRIDSPAN_GROUP_FUNCTION T shfl_down(const T& value, unsigned int delta) const {
    const unsigned int rank = thread_rank() + delta;
    return from_lane(value, rank < size() ? details::lane_of(mask_, rank) : details::lane());
  }
  template <class T>
  GRIDSPAN_GROUP_FUNCTION T shfl_up(const T& value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return from_lane(value,
                     rank >= delta ? details::lane_of(mask_, rank - delta) : details::lane());
  }

  GRIDSPAN_GROUP_FUNCTION int any(int predicate) const { return __any_sync(mask_, predicate); }
  GRIDSPAN_GROUP_FUNCTION int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// Bit r: the predicate of the thread of rank r.
  GRIDSPAN_GROUP_FUNCTION unsigned int ballot(int predicate) const {
    return details::pack(__ballot_sync(mask_, predicate), mask_);
  }
#if GRIDSPAN_ARCH_AT_LEAST(700)
  template <class T>
  GRIDSPAN_GROUP_FUNCTION unsigned int match_any(T value) const {
    return details::pack(__match_any_sync(mask_, value), mask_);
  }
  template <class T>
  GRIDSPAN_GROUP_FUNCTION unsigned int match_all(T value, int& equal) const {
    return details::pack(__match_all_sync(mask_, value, &equal), mask_);
  }
#endif

  /// The lanes, as the warp functions take them.
  GRIDSPAN_GROUP_FUNCTION unsigned int gridspan_mask() const { return mask_; }

 private:
  template <class T>
  GRIDSPAN_GROUP_FUNCTION T from_lane(const T& value, unsigned int lane) const {
    return details::exchange_words(
        value, [this, lane](unsigned int word) { return __shfl_sync(mask_, word, (int)lane); });
  }

  unsigned int mask_, meta_rank_, meta_size_;
};

/// The lanes of the calling warp that are here together.
GRIDSPAN_GROUP_FUNCTION coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

}  // namespace cooperative_groups
