// Threads that go round loops until others have done something, as regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/begin_window.h"
#include "devices/cpu/part.h"
#include "devices/cpu/residency.h"
#include "test_kernel.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace gridspan::test::waiting_rounds {
namespace {

using Word = std::atomic<std::uint32_t>;
constexpr SyncKind round_over = SyncKind::waiting_round;

class WaitingRounds : public testing::TestWithParam<unsigned> {
 protected:
  std::unique_ptr<devices::Device> device_ = devices::cpu::make_device({.threads = GetParam()});
};

INSTANTIATE_TEST_SUITE_P(Threads, WaitingRounds, testing::Values(1u, 2u, 5u));

std::uint64_t cell_of(const BlockContext* block, std::uint32_t t) {
  return block_number(block) * block->thread_count + t;
}

/// Each cell becomes 1 + the one `distance` behind it, in the order that this asks for.
void follow(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* cells = argument<Word*>(block, 0);
  const auto n = argument<std::uint32_t>(block, 1);
  const auto distance = argument<std::int32_t>(block, 2);
  for (std::uint32_t t = first; t < last; ++t) {
    const auto at = static_cast<std::int64_t>(cell_of(block, t)), before = at - distance;
    const bool is_first = before < 0 || before >= n;
    const std::uint32_t found = is_first ? 1 : cells[before].load();
    block->next[t] = found != 0 ? abi::exited : 1;
    if (found != 0) cells[at] = found + 1;
  }
}

TestKernel follower() {
  return TestKernel({.regions = {{follow, many, {}, {}}, {follow, many, round_over, {}}},
                     .flags = abi::kernel_waits_in_loops});
}

void expect_followed(devices::Device& device, std::uint32_t blocks, std::uint32_t threads,
                     std::int32_t distance) {
  const std::uint32_t n = blocks * threads;
  std::vector<Word> cells(n);
  Word* data = cells.data();
  const TestKernel kernel = follower();
  expect_clean(run(device, kernel, {{blocks, 1, 1}, {threads, 1, 1}, {&data, &n, &distance}}));
  const auto step = static_cast<std::uint32_t>(std::abs(distance));
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t place = distance > 0 ? i : n - 1 - i;
    ASSERT_EQ(cells[i].load(), place / step + 2) << i << " of " << n;
  }
}

TEST_P(WaitingRounds, ForTheThreadBefore) {
  for (const std::uint32_t threads : {1u, 31u, 33u, 257u}) {
    expect_followed(*device_, 1, threads, 1);
    expect_followed(*device_, 13, threads, 1);
    expect_followed(*device_, 13, threads, static_cast<std::int32_t>(threads));
  }
}

TEST_P(WaitingRounds, ForBlocksBeforeAreAsManyAsThereAre) {
  expect_followed(*device_, 3001, 32, 32);
}

TEST_P(WaitingRounds, ForTheThreadBehind) {
  for (const std::uint32_t threads : {1u, 33u, 257u}) expect_followed(*device_, 1, threads, -1);
}

TEST_P(WaitingRounds, ForLaterBlocksAreAsManyAsRunTogether) {
  for (const std::uint32_t threads : {1u, 64u, 257u, 1024u}) {
    const std::uint32_t each =
        std::min(devices::cpu::max_resident_blocks, devices::cpu::max_resident_threads / threads);
    expect_followed(*device_, GetParam() * each, threads, -static_cast<std::int32_t>(threads));
  }
}

// --- thread 0 waits for the last one, the others of its warp wait for it at a vote

void part_ways(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* const word = argument<Word*>(block, 0) + block_number(block);
  for (std::uint32_t t = first; t < last; ++t) {
    block->sync_mask[t] = 0xffffffff;
    block->sync_value[t] = t % 2;
    block->next[t] = t == 0 && word->load() == 0 ? 1 : 2;
    if (t == block->thread_count - 1) *word = 7;
  }
}
void take_votes(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* const votes = argument<std::uint32_t*>(block, 1);
  for (std::uint32_t t = first; t < last; ++t)
    votes[cell_of(block, t)] = static_cast<std::uint32_t>(block->sync_value[t]);
}

TEST_P(WaitingRounds, WhileOthersOfTheWarpWaitAtAVote) {
  constexpr std::uint32_t blocks = 7, threads = 96;
  const TestKernel kernel({.regions = {{part_ways, many, {}, {}},
                                       {part_ways, many, round_over, {}},
                                       {take_votes, abi::exited, SyncKind::vote_ballot, {}}},
                           .flags = abi::kernel_waits_in_loops | abi::kernel_has_warp_sync});
  std::vector<Word> words(blocks);
  std::vector<std::uint32_t> votes(blocks * threads, 1);
  Word* const word = words.data();
  std::uint32_t* const vote = votes.data();
  expect_clean(run(*device_, kernel, {{blocks, 1, 1}, {threads, 1, 1}, {&word, &vote}}));
  EXPECT_EQ(votes, std::vector<std::uint32_t>(blocks * threads, 0xaaaaaaaa));
}

// --- what is under way

TEST(BeginWindow, HoldsBackWhoIsFarAhead) {
  constexpr std::uint64_t width = devices::cpu::BeginWindow::width;
  devices::cpu::BeginWindow window(3);
  EXPECT_TRUE(window.lets_begin(0, 10 * width));  // nobody is under way
  window.announce(1, 100);
  EXPECT_TRUE(window.lets_begin(0, 100 + width));
  EXPECT_FALSE(window.lets_begin(0, 101 + width));
  EXPECT_TRUE(window.lets_begin(1, 10 * width));  // itself is no matter
  window.announce(1, 200);
  EXPECT_TRUE(window.lets_begin(0, 200 + width));
  window.leave(1);
  EXPECT_TRUE(window.lets_begin(0, 10 * width));
}

TEST(Residency, HasRoomForWhatWorkersPromise) {
  const TestKernel kernel = follower();
  const TestLaunch shape{{1000, 1, 1}, {256, 1, 1}, {}};
  const abi::LaunchContext launch = shape.context();
  const devices::cpu::Part part(*kernel, launch);
  devices::cpu::Residency residency(part, 3);
  ASSERT_EQ(residency.most(), 3 * 8u);
  residency.admit();
  for (std::uint32_t i = 1; i < residency.most(); ++i) EXPECT_TRUE(residency.reserve());
  EXPECT_FALSE(residency.reserve());
  residency.release();
  EXPECT_TRUE(residency.reserve());
}

}  // namespace
}  // namespace gridspan::test::waiting_rounds
