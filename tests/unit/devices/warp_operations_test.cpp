// Warp operations against a transcription of the PTX pseudo-code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/warp_operations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace gridspan::test {
namespace {

using abi::SyncKind;

struct Warp {
  std::uint32_t mask[32];
  std::uint64_t value[32];
  std::uint32_t lane[32];
  std::uint32_t clamp[32];
  std::uint32_t flag[32];
  devices::cpu::WarpOperands operands() { return {mask, value, lane, clamp, flag}; }
};

/// Random operands; `few` keeps values equal often enough for votes and matches.
Warp random_warp(std::mt19937_64& random, bool few) {
  Warp warp;
  const std::uint64_t spread = few ? 1 + random() % 4 : ~std::uint64_t{0};
  const bool uniform = random() % 2 == 0;
  const auto lane = static_cast<std::uint32_t>(random());
  const auto clamp = static_cast<std::uint32_t>(random());
  for (int i = 0; i < 32; ++i) {
    warp.mask[i] = ~0u;
    warp.value[i] = random() % spread;
    warp.lane[i] = uniform ? lane : static_cast<std::uint32_t>(random());
    warp.clamp[i] = uniform ? clamp : static_cast<std::uint32_t>(random());
    warp.flag[i] = 99;
  }
  return warp;
}

std::uint32_t random_members(std::mt19937_64& random) {
  const auto bits = static_cast<std::uint32_t>(random());
  switch (random() % 4) {
    case 0: return ~0u;
    case 1: return 1u << bits % 32;
    case 2: return ~0u >> bits % 32;
    default: return bits != 0 ? bits : 1;
  }
}

/// PTX ISA, shfl.sync, line by line. A lane reads its own value where the ISA leaves it undefined.
void ptx_shuffle(SyncKind mode, const Warp& before, std::uint32_t members, int i,
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
    case SyncKind::shuffle_up: j = lane - bval; pval = j >= max_lane; break;
    case SyncKind::shuffle_down: j = lane + bval; pval = j <= max_lane; break;
    case SyncKind::shuffle_xor: j = lane ^ bval; pval = j <= max_lane; break;
    default: j = min_lane | (bval & ~segmask & 0x1f); pval = j <= max_lane; break;
  }
  if (!pval) j = lane;
  if (((members >> j) & 1) == 0) j = lane;
  value = before.value[j];
  flag = pval;
}

TEST(WarpOperations, ShufflesFollowThePtxPseudoCode) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    for (const SyncKind mode : {SyncKind::shuffle_up, SyncKind::shuffle_down,
                                SyncKind::shuffle_xor, SyncKind::shuffle_index}) {
      Warp warp = random_warp(random, false);
      const Warp before = warp;
      const std::uint32_t members = random_members(random);
      perform_warp_operation(mode, warp.operands(), members);
      for (int i = 0; i < 32; ++i) {
        std::uint64_t value = before.value[i];
        std::uint32_t flag = 99;
        if ((members >> i) & 1) ptx_shuffle(mode, before, members, i, value, flag);
        ASSERT_EQ(warp.value[i], value) << round << " lane " << i;
        ASSERT_EQ(warp.flag[i], flag) << round << " lane " << i;
      }
    }
  }
}

/// What every member gets from a vote or reduction.
std::uint64_t reference_result(SyncKind kind, const Warp& before, std::uint32_t members) {
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
    case SyncKind::vote_all: return ballot == members;
    case SyncKind::vote_any: return ballot != 0;
    case SyncKind::vote_uniform: return ballot == members || ballot == 0;
    case SyncKind::vote_ballot: return ballot;
    case SyncKind::active_mask: return members;
    case SyncKind::reduce_add: return sum;
    case SyncKind::reduce_min_signed: return static_cast<std::uint32_t>(signed_least);
    case SyncKind::reduce_max_signed: return static_cast<std::uint32_t>(signed_most);
    case SyncKind::reduce_min_unsigned: return least;
    case SyncKind::reduce_max_unsigned: return most;
    case SyncKind::reduce_and: return all;
    case SyncKind::reduce_or: return any;
    default: return parity;
  }
}

TEST(WarpOperations, VotesAndReductionsAgreeWithTheReference) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20000; ++round) {
    for (int k = static_cast<int>(SyncKind::active_mask);
         k <= static_cast<int>(SyncKind::reduce_xor); ++k) {
      const auto kind = static_cast<SyncKind>(k);
      const bool shuffle = kind >= SyncKind::shuffle_up && kind <= SyncKind::shuffle_index;
      if (shuffle || kind == SyncKind::match_any || kind == SyncKind::match_all) continue;
      Warp warp = random_warp(random, random() % 2 == 0);
      const Warp before = warp;
      const std::uint32_t members = random_members(random);
      perform_warp_operation(kind, warp.operands(), members);
      const std::uint64_t expected = reference_result(kind, before, members);
      for (int i = 0; i < 32; ++i) {
        ASSERT_EQ(warp.value[i], (members >> i) & 1 ? expected : before.value[i])
            << "kind " << k << " round " << round << " lane " << i;
      }
    }
  }
}

TEST(WarpOperations, MatchesCompareAll64Bits) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    Warp warp = random_warp(random, true);
    for (auto& value : warp.value) value <<= random() % 2 == 0 ? 0 : 32;
    const Warp before = warp;
    Warp second = warp;
    const std::uint32_t members = random_members(random);
    perform_warp_operation(SyncKind::match_any, warp.operands(), members);
    perform_warp_operation(SyncKind::match_all, second.operands(), members);
    for (int i = 0; i < 32; ++i) {
      if (((members >> i) & 1) == 0) {
        ASSERT_EQ(warp.value[i], before.value[i]);
        ASSERT_EQ(second.flag[i], 99u);
        continue;
      }
      std::uint32_t equal = 0;
      for (int j = 0; j < 32; ++j) {
        if (((members >> j) & 1) && before.value[j] == before.value[i]) equal |= 1u << j;
      }
      ASSERT_EQ(warp.value[i], equal);
      ASSERT_EQ(second.value[i], equal == members ? members : 0);
      ASSERT_EQ(second.flag[i], equal == members ? 1u : 0u);
    }
  }
}

}  // namespace
}  // namespace gridspan::test
