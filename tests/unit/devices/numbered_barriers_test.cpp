// Who may leave a numbered barrier or the wait for a barrier object, and when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/numbered_barriers.h"

#include <gtest/gtest.h>

#include <vector>

namespace gridspan::devices::cpu {
namespace {

using abi::SyncKind;

/// Threads of one block, each running or waiting.
class Block {
 public:
  explicit Block(std::uint32_t threads)
      : waits_(threads, false), kinds_(threads), words_(threads), live_(threads) {
    context_.thread_count = threads;
    context_.sync_value = words_.data();
  }

  void wait(std::uint32_t thread, SyncKind kind, std::uint64_t word) {
    waits_[thread] = true;
    kinds_[thread] = kind;
    words_[thread] = word;
  }
  void sync(std::uint32_t first, std::uint32_t last, std::uint32_t id, std::uint32_t count) {
    for (std::uint32_t t = first; t < last; ++t)
      wait(t, SyncKind::numbered_barrier, abi::NumberedBarrier{id, count}.word());
  }
  void arrive(std::uint32_t first, std::uint32_t last, std::uint32_t id, std::uint32_t count) {
    for (std::uint32_t t = first; t < last; ++t)
      wait(t, SyncKind::numbered_arrival, abi::NumberedBarrier{id, count}.word());
  }
  void leave() { --live_; }

  /// How many threads go on.
  std::uint32_t open() {
    std::uint32_t freed = 0;
    const bool progress = barriers_.open(
        context_, live_,
        [&](std::uint32_t t, SyncKind& kind) {
          kind = kinds_[t];
          return waits_[t] && is_for_some(kind, words_[t]);
        },
        [&](std::uint32_t t) {
          waits_[t] = false;
          ++freed;
        });
    EXPECT_EQ(progress, freed != 0);
    return freed;
  }

 private:
  std::vector<bool> waits_;
  std::vector<SyncKind> kinds_;
  std::vector<std::uint64_t> words_;
  std::uint32_t live_;
  abi::BlockContext context_{};
  NumberedBarriers barriers_;
};

TEST(NumberedBarriers, OpenWhenTheCountIsReached) {
  Block block(128);
  block.sync(0, 32, 3, 64);
  EXPECT_EQ(block.open(), 0u);
  block.sync(96, 128, 4, 64);  // another barrier
  EXPECT_EQ(block.open(), 0u);
  block.sync(32, 64, 3, 64);
  EXPECT_EQ(block.open(), 64u);
  block.sync(64, 96, 4, 64);
  EXPECT_EQ(block.open(), 64u);
}

TEST(NumberedBarriers, ArrivalsGoOnAndAreRemembered) {
  Block block(64);
  block.arrive(0, 32, 1, 64);
  EXPECT_EQ(block.open(), 32u);
  block.sync(0, 32, 2, 64);
  EXPECT_EQ(block.open(), 0u);
  block.sync(32, 64, 1, 64);
  EXPECT_EQ(block.open(), 32u);
  block.sync(32, 64, 1, 64);  // the announcement was used up
  EXPECT_EQ(block.open(), 0u);
}

TEST(NumberedBarriers, WithoutCountWaitForAllThatHaveNotLeft) {
  Block block(40);
  block.sync(0, 39, 7, 0);
  EXPECT_EQ(block.open(), 0u);
  block.leave();
  EXPECT_EQ(block.open(), 39u);
}

TEST(NumberedBarriers, AShortWarpCountsAsAWholeOne) {
  Block block(48);
  block.sync(0, 48, 1, 64);
  EXPECT_EQ(block.open(), 48u);
}

TEST(NumberedBarriers, ZeroWithoutCountIsTheBlocksOwn) {
  Block block(32);
  block.sync(0, 32, 0, 0);
  EXPECT_EQ(block.open(), 0u);
}

TEST(NumberedBarriers, PhaseWaitsLookAtTheObject) {
  alignas(8) std::uint64_t object = 5;
  Block block(32);
  const auto address = reinterpret_cast<std::uint64_t>(&object);
  block.wait(0, SyncKind::phase_wait, address);      // for the end of an even phase
  block.wait(1, SyncKind::phase_wait, address | 1);  // for that of the odd one before
  EXPECT_EQ(block.open(), 1u);
  EXPECT_EQ(block.open(), 0u);
  object |= std::uint64_t{1} << 63;
  EXPECT_EQ(block.open(), 1u);
}

}  // namespace
}  // namespace gridspan::devices::cpu
