// Which blocks run where: every block once, whatever the grid and the number of workers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/part.h"
#include "test_kernel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace gridspan::test {
namespace {

using devices::cpu::BlockGrid;
using devices::cpu::Part;
using devices::cpu::slices_for;
using devices::cpu::Tile;
using devices::cpu::tile_for;

TEST(BlockGrid, CountsTheLargestGridOfCuda) {
  const BlockGrid grid({0, 0, 0}, {0x7fffffff, 65535, 65535});
  EXPECT_EQ(grid.size(), std::uint64_t{0x7fffffff} * 65535 * 65535);
  const Dim last = grid.at(grid.size() - 1);
  EXPECT_EQ(last.x, 0x7ffffffeu);
  EXPECT_EQ(last.y, 65534u);
  EXPECT_EQ(last.z, 65534u);
}

TEST(BlockGrid, AdvanceAgreesWithAt) {
  const BlockGrid grid({4, 0, 9}, {3, 5, 2});
  Dim index = grid.at(0);
  for (std::uint64_t n = 0; n < grid.size(); ++n, grid.advance(index)) {
    const Dim direct = grid.at(n);
    EXPECT_EQ(direct.x, 4 + n % 3);
    EXPECT_EQ(direct.y, n / 3 % 5);
    EXPECT_EQ(direct.z, 9 + n / 15);
    EXPECT_TRUE(direct.x == index.x && direct.y == index.y && direct.z == index.z);
  }
}

TEST(BlockGrid, GoesDownColumnsWhereTheyShare) {
  const BlockGrid grid({4, 0, 9}, {3, 5, 2}, {.x = 1, .y = 2, .goes_down = true});
  Dim index = grid.at(0);
  for (std::uint64_t n = 0; n < grid.size(); ++n, grid.advance(index)) {
    const Dim direct = grid.at(n);
    EXPECT_EQ(direct.y, n % 3 * 2);
    EXPECT_EQ(direct.x, 4 + n / 3 % 3);
    EXPECT_EQ(direct.z, 9 + n / 9);
    EXPECT_TRUE(direct.x == index.x && direct.y == index.y && direct.z == index.z);
  }
}

class BlockGridOrder : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Order, BlockGridOrder, testing::Bool());

TEST_P(BlockGridOrder, TilesCoverEveryBlockOnce) {
  const Dim first{4, 1, 9}, count{7, 5, 2};
  const BlockGrid grid(first, count, {.x = 3, .y = 2, .goes_down = GetParam()});
  EXPECT_EQ(grid.size(), std::uint64_t{3 * 3 * 2});
  std::vector<int> covered(count.x * count.y * count.z);
  Dim index = grid.at(0);
  for (std::uint64_t n = 0; n < grid.size(); ++n, grid.advance(index)) {
    const Dim direct = grid.at(n);
    EXPECT_TRUE(direct.x == index.x && direct.y == index.y && direct.z == index.z);
    const Tile tile = grid.extent(index);
    for (std::uint32_t y = index.y; y < index.y + tile.y; ++y) {
      for (std::uint32_t x = index.x; x < index.x + tile.x; ++x) {
        ASSERT_LT(x - first.x, count.x);
        ASSERT_LT(y - first.y, count.y);
        ++covered[((index.z - first.z) * count.y + y - first.y) * count.x + x - first.x];
      }
    }
  }
  for (const int times : covered) EXPECT_EQ(times, 1);
}

TEST(Form, GathersOnlyWhereTheCpuIsQuickAtThat) {
  abi::BlockForm forms[2]{};
  forms[0].needs = abi::needs_fast_gathers;
  abi::Kernel kernel{};
  kernel.forms = forms;
  kernel.form_count = 2;
  const abi::LaunchContext launch{};
  EXPECT_EQ(abi::form_for(kernel, launch, true), &forms[0]);
  EXPECT_EQ(abi::form_for(kernel, launch, false), &forms[1]);
  kernel.form_count = 1;
  EXPECT_EQ(abi::form_for(kernel, launch, false), nullptr);
}

TEST(Tile, LeavesEnoughForAllWorkers) {
  abi::BlockForm form{};
  abi::LaunchContext launch{};
  launch.block = {16, 16, 1};
  launch.grid = launch.block_count = {64, 64, 1};
  const auto tile = [&](unsigned workers) {
    const Tile found = tile_for(form, launch, workers);
    return std::pair{found.x, found.y};
  };
  EXPECT_EQ(tile(1), std::pair(1u, 1u));
  form.joined_threads = 32;
  EXPECT_EQ(tile(2), std::pair(2u, 1u));
  form.joined_rows = 128;
  EXPECT_EQ(tile(2), std::pair(2u, 8u));
  EXPECT_EQ(tile(100), std::pair(2u, 5u));  // 400 tiles of at most 10 blocks
  EXPECT_EQ(tile(1000), std::pair(1u, 1u));
  form.joined_height = 8;
  EXPECT_EQ(tile(2), std::pair(2u, 1u));
  form.joined_height = 16;
  launch.block_count = {5, 3, 1};
  EXPECT_EQ(tile(1), std::pair(2u, 3u));
  launch.block.z = 2;
  EXPECT_EQ(tile(1), std::pair(2u, 1u));
  launch.block = {16, 1, 1};
  EXPECT_EQ(tile(1), std::pair(5u, 1u));
}

TEST(Part, ChunksCoverEverythingOnceAndShrink) {
  const abi::Kernel kernel{};
  abi::LaunchContext launch{};
  launch.block = {1, 1, 1};
  launch.block_count = {1000, 37, 3};
  Part part(kernel, launch);
  std::uint64_t next = 0;
  std::uint64_t size = ~std::uint64_t{0};
  while (part.left() != 0) {
    const auto chunk = part.supply().claim_in_order(8);
    ASSERT_EQ(chunk.begin, next);
    ASSERT_LE(chunk.size(), size);
    next = chunk.end;
    size = chunk.size();
  }
  EXPECT_EQ(next, 111000u);
  EXPECT_EQ(part.supply().claim_in_order(8).size(), 0u);
}

TEST(TileSupply, WorkersBeginAtHomeAndHelpOutElsewhere) {
  devices::cpu::TileSupply supply(100, 2);
  const auto claim = [&](unsigned worker) {
    const auto chunk = supply.claim(4, worker);
    return std::pair{chunk.begin, chunk.end};
  };
  using Ends = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(claim(0), Ends(0, 25));
  EXPECT_EQ(claim(1), Ends(50, 68));
  EXPECT_EQ(claim(0), Ends(25, 39));
  EXPECT_EQ(claim(0), Ends(39, 49));
  EXPECT_EQ(claim(0), Ends(49, 50));
  EXPECT_EQ(claim(0), Ends(68, 76));
  EXPECT_EQ(claim(1), Ends(76, 82));
  EXPECT_EQ(supply.left(), 18u);
}

TEST(TileSupply, TurnedBackHomesAreEmptiedFromTheirEnds) {
  devices::cpu::TileSupply supply(100, 2);
  const auto first = supply.claim_in_order(10);
  EXPECT_EQ(first.begin, 0u);
  EXPECT_EQ(first.end, 10u);
  supply.turn_back();
  const auto claim = [&](unsigned worker) {
    const auto chunk = supply.claim(4, worker);
    return std::pair{chunk.begin, chunk.end};
  };
  using Ends = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(claim(0), Ends(28, 50));
  EXPECT_EQ(claim(1), Ends(83, 100));
  EXPECT_EQ(claim(0), Ends(16, 28));
  EXPECT_EQ(claim(0), Ends(10, 16));
  EXPECT_EQ(claim(0), Ends(75, 83));
  EXPECT_EQ(supply.left(), 25u);
}

TEST(TileSupply, EveryTileIsHandedOutOnce) {
  for (const std::uint64_t tiles : {0u, 1u, 2u, 5u, 16u, 17u, 1000u})
    for (const unsigned workers : {1u, 2u, 3u, 16u, 40u})
      for (const unsigned rounds : {1u, 2u}) {  // of how many workers one comes
        devices::cpu::TileSupply supply(tiles, workers);
        std::vector<unsigned> times(tiles);
        if (tiles % 2 == 0) {
          const auto chunk = supply.claim_in_order(3);
          for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) ++times[i];
          supply.turn_back();
        }
        for (unsigned worker = 0; supply.left() != 0; worker = (worker + rounds) % workers) {
          const auto chunk = supply.claim(4 * workers, worker);
          ASSERT_GT(chunk.size(), 0u);
          for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) ++times[i];
        }
        EXPECT_EQ(supply.claim(1, 0).size(), 0u);
        for (const unsigned count : times) ASSERT_EQ(count, 1u);
      }
}

void count_blocks(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* counts = argument<std::uint32_t*>(block, 0);
  for (std::uint32_t t = first; t < last; ++t) {
    __atomic_fetch_add(counts + block_number(block), 1, __ATOMIC_RELAXED);
  }
}
void count_on_fiber(ThreadContext* thread) {
  count_blocks(thread->block, thread->thread, thread->thread + 1);
}

class Distribution : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Threads, Distribution, testing::Values(1u, 2u, 3u, 7u));

TEST_P(Distribution, EveryBlockOfAPartRunsOnce) {
  const auto device = devices::cpu::make_device({.threads = GetParam()});
  const TestKernel regions({.regions = {{count_blocks, abi::exited, {}, {}}}});
  const TestKernel fibers({.thread = count_on_fiber});
  EXPECT_EQ(device->facts().workers, GetParam());
  for (const TestKernel* kernel : {&regions, &fibers}) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      TestLaunch launch{{19, 11, 5}, {3, 1, 2}};
      std::vector<std::uint32_t> counts(19 * 11 * 5, 0);
      std::uint32_t* data = counts.data();
      launch.arguments = {&data};
      abi::LaunchContext context = launch.context();
      context.first_block = {2, 3, 1};
      context.block_count = {13, 7, 3};
      expect_clean(device->queue().run_part(**kernel, context));
      for (std::uint32_t i = 0; i < counts.size(); ++i) {
        const std::uint32_t x = i % 19;
        const std::uint32_t y = i / 19 % 11;
        const std::uint32_t z = i / 19 / 11;
        const bool inside = x >= 2 && x < 15 && y >= 3 && y < 10 && z >= 1 && z < 4;
        ASSERT_EQ(counts[i], inside ? 6u : 0u) << i;
      }
    }
  }
}

/// Who has run a block so far. Blocks wait for a second thread, so that none is too fast for it.
struct Seen {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::size_t wanted;
  std::chrono::steady_clock::time_point deadline;
  bool enough() {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
    return threads.size() >= wanted || std::chrono::steady_clock::now() > deadline;
  }
};

void wait_for_others(BlockContext* block, std::uint32_t, std::uint32_t) {
  auto* seen = argument<Seen*>(block, 0);
  while (!seen->enough()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST_P(Distribution, SeveralThreadsTakePartInLongLaunches) {
  const auto device = devices::cpu::make_device({.threads = GetParam()});
  const TestKernel kernel({.regions = {{wait_for_others, abi::exited, {}, {}}}});
  Seen seen;
  seen.wanted = std::min(2u, GetParam());
  seen.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  Seen* record = &seen;
  expect_clean(run(*device, kernel, {{40, 1, 1}, {1, 1, 1}, {&record}}));
  EXPECT_LE(seen.threads.size(), GetParam());
  EXPECT_GE(seen.threads.size(), seen.wanted);
}

TEST_P(Distribution, ThreadsOfOneBlockAreSpreadIfTheyAreApart) {
  const auto device = devices::cpu::make_device({.threads = GetParam()});
  const TestKernel kernel({.regions = {{wait_for_others, abi::exited, {}, {}}},
                           .flags = abi::kernel_threads_are_apart});
  Seen seen;
  seen.wanted = std::min(2u, GetParam());
  seen.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  Seen* record = &seen;
  expect_clean(run(*device, kernel, {{1, 1, 1}, {1024, 1, 1}, {&record}}));
  EXPECT_GE(seen.threads.size(), seen.wanted);
}

/// Waits for the block before it, but not for ever.
struct Chain {
  std::atomic<int> done[64] = {};
  std::atomic<bool> gave_up = false;
};

void wait_for_block_before(BlockContext* block, std::uint32_t first, std::uint32_t) {
  if (first != 0) return;
  auto* chain = argument<Chain*>(block, 0);
  const std::size_t own = block_number(block);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (own > 0 && chain->done[own - 1] == 0 && !chain->gave_up)
    if (std::chrono::steady_clock::now() > deadline) chain->gave_up = true;
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(10);
  while (std::chrono::steady_clock::now() < until) {
  }
  chain->done[own] = 1;
}

/// Launches of about the length after which others go there and back in turn.
TEST_P(Distribution, BlocksThatMayWaitForThoseBeforeThemBeginInOrder) {
  const auto device = devices::cpu::make_device({.threads = GetParam()});
  const TestKernel kernel({.regions = {{wait_for_block_before, abi::exited, {}, {}}}});
  for (int i = 0; i < 8; ++i) {
    Chain chain;
    Chain* record = &chain;
    expect_clean(run(*device, kernel, {{64, 1, 1}, {32, 1, 1}, {&record}}));
    ASSERT_FALSE(chain.gave_up) << "launch " << i;
  }
}

void count_threads(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* counts = argument<std::atomic<int>*>(block, 0) + block_number(block) * 1024;
  for (std::uint32_t t = first; t < last; ++t) ++counts[t];
}

TEST_P(Distribution, EveryThreadOfAFewBlocksRunsOnce) {
  const auto device = devices::cpu::make_device({.threads = GetParam()});
  const TestKernel kernel(
      {.regions = {{count_threads, abi::exited, {}, {}}}, .flags = abi::kernel_threads_are_apart});
  for (const Dim block : {Dim{1024, 1, 1}, Dim{1000, 1, 1}, Dim{512, 1, 1}, Dim{33, 31, 1},
                          Dim{8, 8, 16}, Dim{1, 1, 1}, Dim{257, 1, 1}}) {
    for (const Dim grid : {Dim{1, 1, 1}, Dim{3, 1, 1}, Dim{2, 2, 1}, Dim{30, 1, 1}}) {
      const std::size_t blocks = std::size_t{grid.x} * grid.y,
                        threads = block.x * block.y * block.z;
      std::vector<std::atomic<int>> counts(blocks * 1024);
      auto* record = counts.data();
      for (int i = 0; i < 3; ++i) expect_clean(run(*device, kernel, {grid, block, {&record}}));
      for (std::size_t i = 0; i < counts.size(); ++i)
        ASSERT_EQ(counts[i], i % 1024 < threads ? 3 : 0) << i;
    }
  }
}

TEST(Slices, AreForFewBlocksOfManyThreads) {
  abi::Kernel kernel{};
  kernel.region_count = 1;
  abi::LaunchContext launch{};
  launch.block = {1024, 1, 1};
  launch.block_count = {1, 1, 1};
  EXPECT_EQ(slices_for(kernel, launch, {}, 4), 1u);  // they are not apart
  kernel.flags = abi::kernel_threads_are_apart;
  EXPECT_EQ(slices_for(kernel, launch, {}, 1), 1u);
  EXPECT_EQ(slices_for(kernel, launch, {}, 4), 4u);  // of 256 threads
  launch.block_count = {3, 1, 1};
  EXPECT_EQ(slices_for(kernel, launch, {}, 2), 2u);
  launch.block_count = {100, 1, 1};
  EXPECT_EQ(slices_for(kernel, launch, {}, 4), 1u);
  EXPECT_EQ(slices_for(kernel, launch, {10, 1}, 4), 1u);
  EXPECT_EQ(slices_for(kernel, launch, {25, 1}, 4), 4u);
  launch.block = {256, 1, 1};
  launch.block_count = {1, 1, 1};
  EXPECT_EQ(slices_for(kernel, launch, {}, 16), 1u);
  kernel.region_count = 2;  // barriers
  launch.block = {1024, 1, 1};
  EXPECT_EQ(slices_for(kernel, launch, {}, 16), 1u);
}

TEST(Distribution, NothingToDo) {
  const auto device = devices::cpu::make_device({.threads = 2});
  const TestKernel kernel({.regions = {{count_blocks, abi::exited, {}, {}}}});
  expect_clean(run(*device, kernel, {{0, 1, 1}, {32, 1, 1}}));
  EXPECT_EQ(run(*device, kernel, {{1, 1, 1}, {1025, 1, 1}}).fault, Fault::trap);
}

TEST(DeviceMemory, AllocationsAreAlignedDistinctAndBounded) {
  const auto device = devices::cpu::make_device({.threads = 1});
  std::vector<char*> blocks;
  for (const std::size_t size : {std::size_t{1}, std::size_t{255}, std::size_t{5} << 20}) {
    auto* memory = static_cast<char*>(device->memory().allocate(size));
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0u);
    memory[0] = memory[size - 1] = 1;
    blocks.push_back(memory);
  }
  EXPECT_EQ(device->memory().allocate(device->facts().memory_bytes), nullptr) << "some is taken";
  for (char* memory : blocks) device->memory().free(memory);
  EXPECT_EQ(device->memory().allocate(~std::size_t{0}), nullptr);
}

TEST(DeviceFacts, TellWhatTheMachineHas) {
  const auto device = devices::cpu::make_device({});
  const devices::DeviceFacts& facts = device->facts();
  EXPECT_EQ(facts.name.find("Gridspan CPU ("), 0u);
  EXPECT_GE(facts.workers, 1u);
  EXPECT_GT(facts.memory_bytes, std::uint64_t{64} << 20);
  EXPECT_GE(facts.max_shared_per_block, 48u << 10);
}

}  // namespace
}  // namespace gridspan::test
