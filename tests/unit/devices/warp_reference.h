// What warp operations must compute, written down from the PTX manual.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/warp_operations.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gridspan::test {

using abi::SyncKind;

struct Warp {
  std::uint32_t mask[32];
  std::uint64_t value[32];
  std::uint32_t lane[32];
  std::uint32_t clamp[32];
  std::uint32_t flag[32];
  devices::cpu::WarpOperands operands() { return {mask, value, lane, clamp, flag}; }
};

/// PTX ISA, shfl.sync, line by line. A lane reads its own value where the ISA leaves it undefined.
inline void ptx_shuffle(SyncKind mode, const Warp& before, std::uint32_t members, int i,
                        std::uint64_t& value, std::uint32_t& flag) {
  const int lane = i & 0x1f;
  const int bval = static_cast<int>(before.lane[i] & 0x1f);
  const int cval = static_cast<int>(before.clamp[i] & 0x1f);
  const int segmask = static_cast<int>((before.clamp[i] >> 8) & 0x1f);
  const int max_lane = (lane & segmask) | (cval & ~segmask & 0x1f);
  const int min_lane = lane & segmask;
  int j = 0;
  bool pval = false;
  switch (mode) {
    case SyncKind::shuffle_up:
      j = lane - bval;
      pval = j >= max_lane;
      break;
    case SyncKind::shuffle_down:
      j = lane + bval;
      pval = j <= max_lane;
      break;
    case SyncKind::shuffle_xor:
      j = lane ^ bval;
      pval = j <= max_lane;
      break;
    default:
      j = min_lane | (bval & ~segmask & 0x1f);
      pval = j <= max_lane;
      break;
  }
  if (!pval) j = lane;
  if (((members >> j) & 1) == 0) j = lane;
  value = before.value[j];
  flag = pval;
}

/// What every member gets from a vote or reduction.
inline std::uint64_t reference_result(SyncKind kind, const Warp& before, std::uint32_t members) {
  std::vector<std::uint32_t> values;
  std::uint32_t ballot = 0;
  for (int i = 0; i < 32; ++i) {
    if (((members >> i) & 1) == 0) continue;
    values.push_back(static_cast<std::uint32_t>(before.value[i]));
    if (before.value[i] != 0) ballot |= 1u << i;
  }
  std::int64_t signed_least = INT64_MAX;
  std::int64_t signed_most = INT64_MIN;
  std::uint32_t sum = 0;
  std::uint32_t least = ~0u;
  std::uint32_t most = 0;
  std::uint32_t all = ~0u;
  std::uint32_t any = 0;
  std::uint32_t parity = 0;
  for (const std::uint32_t v : values) {
    signed_least = std::min<std::int64_t>(signed_least, static_cast<std::int32_t>(v));
    signed_most = std::max<std::int64_t>(signed_most, static_cast<std::int32_t>(v));
    least = std::min(least, v);
    most = std::max(most, v);
    sum += v;
    all &= v;
    any |= v;
    parity ^= v;
  }
  switch (kind) {
    case SyncKind::vote_all:
      return ballot == members;
    case SyncKind::vote_any:
      return ballot != 0;
    case SyncKind::vote_uniform:
      return ballot == members || ballot == 0;
    case SyncKind::vote_ballot:
      return ballot;
    case SyncKind::active_mask:
      return members;
    case SyncKind::reduce_add:
      return sum;
    case SyncKind::reduce_min_signed:
      return static_cast<std::uint32_t>(signed_least);
    case SyncKind::reduce_max_signed:
      return static_cast<std::uint32_t>(signed_most);
    case SyncKind::reduce_min_unsigned:
      return least;
    case SyncKind::reduce_max_unsigned:
      return most;
    case SyncKind::reduce_and:
      return all;
    case SyncKind::reduce_or:
      return any;
    default:
      return parity;
  }
}

}  // namespace gridspan::test
