// Lanes of a warp by bit mask: what groups smaller than a block are made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_macros.h"
#include "device_sync.h"
#include "device_warp.h"

#include <type_traits>

#define GRIDSPAN_GROUP_FUNCTION __inline__ __attribute__((always_inline, __nodebug__)) __device__

namespace cooperative_groups {
namespace details {

GRIDSPAN_DEVICE unsigned int lane() { return (unsigned int)__nvvm_read_ptx_sreg_laneid(); }
GRIDSPAN_DEVICE unsigned int bits_below(unsigned int count) {
  return count >= 32 ? 0xffffffffu : (1u << count) - 1;
}
GRIDSPAN_DEVICE unsigned int count_bits(unsigned int mask) {
  return (unsigned int)__builtin_popcount(mask);
}

/// How many lanes of `mask` come before lane `lane`.
GRIDSPAN_DEVICE unsigned int rank_in(unsigned int mask, unsigned int lane) {
  return count_bits(mask & bits_below(lane));
}

/// The lane of rank `rank` in `mask`; 32 if there is none.
GRIDSPAN_DEVICE unsigned int lane_of(unsigned int mask, unsigned int rank) {
  for (; rank != 0 && mask != 0; --rank) mask &= mask - 1;
  return mask == 0 ? 32 : (unsigned int)__builtin_ctz(mask);
}

/// The bits of `bits` at the lanes of `mask`, closed up.
GRIDSPAN_DEVICE unsigned int pack(unsigned int bits, unsigned int mask) {
  unsigned int packed = 0;
  for (unsigned int place = 1; mask != 0; mask &= mask - 1, place <<= 1) {
    if (bits & mask & -mask) packed |= place;
  }
  return packed;
}

/// The ranks [first, first + count) of `mask`, as a mask of lanes.
GRIDSPAN_DEVICE unsigned int ranks_of(unsigned int mask, unsigned int first, unsigned int count) {
  for (; first != 0; --first) mask &= mask - 1;
  unsigned int chosen = 0;
  for (; count != 0 && mask != 0; --count, mask &= mask - 1) chosen |= mask & -mask;
  return chosen;
}

/// Exchanges a value of any trivially copyable type as 32-bit words.
template <class T, class Exchange>
GRIDSPAN_GROUP_FUNCTION T exchange_words(const T& value, Exchange exchange) {
  static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32,
                "shuffled values are trivially copyable and have at most 32 bytes");
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned int& word : words) word = exchange(word);
  T received = value;
  __builtin_memcpy(&received, words, sizeof(T));
  return received;
}

}  // namespace details
}  // namespace cooperative_groups
