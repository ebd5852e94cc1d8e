// Warp operations against a transcription of the PTX pseudo-code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warp_reference.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace gridspan::test {
namespace {

using abi::SyncKind;

/// Random operands; `few` keeps values equal often enough for votes and matches.
Warp random_warp(std::mt19937_64& random, bool few) {
  Warp warp;
  const std::uint64_t spread = few ? 1 + random() % 4 : ~std::uint64_t{0};
  const bool uniform = random() % 2 == 0;
  const auto lane = static_cast<std::uint32_t>(random());
  // Every other warp shuffles as __shfl_*_sync does with its default width.
  const std::uint32_t clamps[] = {0, 0x1f, static_cast<std::uint32_t>(random()), 0x1f};
  const std::uint32_t clamp = clamps[random() % 4];
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
    case 0:
      return ~0u;  // the usual case, with paths of its own
    case 1:
      return 1u << bits % 32;
    case 2:
      return ~0u >> bits % 32;
    default:
      return bits != 0 ? bits : 1;
  }
}

TEST(WarpOperations, ShufflesFollowThePtxPseudoCode) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    for (const SyncKind mode : {SyncKind::shuffle_up, SyncKind::shuffle_down, SyncKind::shuffle_xor,
                                SyncKind::shuffle_index}) {
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
