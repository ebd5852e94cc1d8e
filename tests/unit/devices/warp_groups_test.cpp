// Lanes that wait at shuffles whose masks leave them out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/warp_groups.h"

#include <gtest/gtest.h>

#include <array>

namespace gridspan::devices::cpu {
namespace {

using abi::SyncKind;

struct Warp {
  std::array<std::uint32_t, 32> mask{}, lane{}, clamp{}, flag{};
  std::array<std::uint64_t, 32> value{};
  WarpWaits waits;

  Warp() {
    waits.live = waits.waiting = all_lanes;
    for (unsigned i = 0; i < 32; ++i) {
      waits.place[i] = 7;
      waits.order[i] = 0;
      value[i] = 100 + i;
    }
  }
  /// All lanes wait at this, with the same operands.
  void wait(SyncKind kind, std::uint32_t members, std::uint32_t operand) {
    for (unsigned i = 0; i < 32; ++i) {
      waits.kind[i] = kind;
      mask[i] = members;
      lane[i] = operand;
      clamp[i] = kind == SyncKind::shuffle_up ? 0 : 31;
    }
  }
  WarpOperands operands() {
    return {mask.data(), value.data(), lane.data(), clamp.data(), flag.data()};
  }
};

TEST(WarpGroups, GivesWhoTheMaskLeavesOutWhatTheGroupHas) {
  Warp warp;
  warp.wait(SyncKind::shuffle_up, 0x0000ffff, 16);
  EXPECT_EQ(release_groups(warp.waits, warp.operands()), all_lanes);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(warp.value[i], 100 + (i < 16 ? i : i - 16)) << i;
}

TEST(WarpGroups, WaitsForAllThatTheMaskNames) {
  Warp warp;
  warp.wait(SyncKind::shuffle_up, 0x0000ffff, 16);
  warp.waits.waiting = ~1u;
  EXPECT_EQ(release_groups(warp.waits, warp.operands()), 0u);
}

TEST(WarpGroups, LeavesOutThoseAtAnotherPlaceOrOfAnotherMask) {
  Warp warp;
  warp.wait(SyncKind::shuffle_index, 0x0000ffff, 3);
  warp.waits.place[20] = 8;
  warp.mask[21] = 0x00007fff;
  EXPECT_EQ(release_groups(warp.waits, warp.operands()), all_lanes & ~(1u << 20) & ~(1u << 21));
  EXPECT_EQ(warp.value[20], 120u);
  EXPECT_EQ(warp.value[21], 121u);
  EXPECT_EQ(warp.value[22], 103u);
}

TEST(WarpGroups, CountsNoVotesOfOthers) {
  Warp warp;
  warp.wait(SyncKind::vote_ballot, 0x0000ffff, 0);
  warp.value.fill(1);
  EXPECT_EQ(release_groups(warp.waits, warp.operands()), 0x0000ffffu);
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(warp.value[i], 0x0000ffffu) << i;
}

}  // namespace
}  // namespace gridspan::devices::cpu
