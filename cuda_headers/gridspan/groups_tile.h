// Tiles: groups of a power of two of neighbouring threads, the size known when compiling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "groups_block.h"
#include "groups_coalesced.h"
#include "groups_large_tile.h"

namespace cooperative_groups {
namespace details {

/// Of one warp.
template <unsigned int Size, bool IsLarge>
class tile {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");

 public:
  GRIDSPAN_GROUP_FUNCTION void sync() const { __syncwarp(gridspan_mask()); }
  GRIDSPAN_GROUP_FUNCTION static constexpr unsigned int num_threads() { return Size; }
  GRIDSPAN_GROUP_FUNCTION static constexpr unsigned int size() { return Size; }
  GRIDSPAN_GROUP_FUNCTION static unsigned int thread_rank() { return lane() & (Size - 1); }
  GRIDSPAN_GROUP_FUNCTION unsigned int meta_group_rank() const { return meta_rank_; }
  GRIDSPAN_GROUP_FUNCTION unsigned int meta_group_size() const { return meta_size_; }

  template <class T>
  GRIDSPAN_GROUP_FUNCTION T shfl(const T& value, int rank) const {
    return exchange_words(value, [this, rank](unsigned int word) {
      return __shfl_sync(gridspan_mask(), word, rank, (int)Size);
    });
  }
  template <class T>
  GRIDSPAN_GROUP_FUNCTION T shfl_down(const T& value, unsigned int delta) const {
    return exchange_words(value, [this, delta](unsigned int word) {
      return __shfl_down_sync(gridspan_mask(), word, delta, (int)Size);
    });
  }
  template <class T>
  GRIDSPAN_GROUP_FUNCTION T shfl_up(const T& value, unsigned int delta) const {
    return exchange_words(value, [this, delta](unsigned int word) {
      return __shfl_up_sync(gridspan_mask(), word, delta, (int)Size);
    });
  }
  template <class T>
  GRIDSPAN_GROUP_FUNCTION T shfl_xor(const T& value, unsigned int mask) const {
    return exchange_words(value, [this, mask](unsigned int word) {
      return __shfl_xor_sync(gridspan_mask(), word, (int)mask, (int)Size);
    });
  }

  GRIDSPAN_GROUP_FUNCTION int any(int predicate) const {
    return __any_sync(gridspan_mask(), predicate);
  }
  GRIDSPAN_GROUP_FUNCTION int all(int predicate) const {
    return __all_sync(gridspan_mask(), predicate);
  }
  GRIDSPAN_GROUP_FUNCTION unsigned int ballot(int predicate) const {
    return ranks(__ballot_sync(gridspan_mask(), predicate));
  }
#if GRIDSPAN_ARCH_AT_LEAST(700)
  template <class T>
  GRIDSPAN_GROUP_FUNCTION unsigned int match_any(T value) const {
    return ranks(__match_any_sync(gridspan_mask(), value));
  }
  template <class T>
  GRIDSPAN_GROUP_FUNCTION unsigned int match_all(T value, int& equal) const {
    return ranks(__match_all_sync(gridspan_mask(), value, &equal));
  }
#endif

  /// Lanes exchange values without memory.
  GRIDSPAN_GROUP_FUNCTION static unsigned char* gridspan_memory() { return nullptr; }
  /// The lanes, as the warp functions take them.
  GRIDSPAN_GROUP_FUNCTION static unsigned int gridspan_mask() {
    return bits_below(Size) << (lane() & ~(Size - 1));
  }

 protected:
  GRIDSPAN_GROUP_FUNCTION tile(unsigned int meta_rank, unsigned int meta_size, unsigned char*)
      : meta_rank_(meta_rank), meta_size_(meta_size) {}

 private:
  GRIDSPAN_GROUP_FUNCTION static unsigned int ranks(unsigned int lanes) {
    return lanes >> (lane() & ~(Size - 1)) & bits_below(Size);
  }

  unsigned int meta_rank_, meta_size_;
};

}  // namespace details

/// A tile that knows what it is a part of; thread_block_tile<Size> has forgotten it.
template <unsigned int Size, class Parent = void>
class thread_block_tile : public details::tile<Size> {
  using details::tile<Size>::tile;
  friend struct details::tile_maker;

 public:
  GRIDSPAN_GROUP_FUNCTION operator thread_block_tile<Size, void>() const;
};

namespace details {
struct tile_maker {
  template <unsigned int Size, class Parent>
  GRIDSPAN_GROUP_FUNCTION static thread_block_tile<Size, Parent> make(unsigned int meta_rank,
                                                                      unsigned int meta_size,
                                                                      unsigned char* memory) {
    return thread_block_tile<Size, Parent>(meta_rank, meta_size, memory);
  }
};
}  // namespace details

template <unsigned int Size>
class thread_block_tile<Size, void> : public details::tile<Size> {
  using details::tile<Size>::tile;
  friend struct details::tile_maker;
};

template <unsigned int Size, class Parent>
GRIDSPAN_GROUP_FUNCTION thread_block_tile<Size, Parent>::operator thread_block_tile<Size, void>()
    const {
  return details::tile_maker::make<Size, void>(this->meta_group_rank(), this->meta_group_size(),
                                               this->gridspan_memory());
}

}  // namespace cooperative_groups
