// Blocks that meet at grid barriers, as regions and on fibers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_kernel.h"

#include <memory>
#include <numeric>
#include <vector>

namespace gridspan::test::grid_barrier {
namespace {

using Cell = std::uint32_t;

/// cells[i] = cells[(i + 1) % n] + 1, twice: wrong as soon as one block is early or late.
std::size_t cell_of(const BlockContext* block, std::uint32_t t) {
  return block_number(block) * block->thread_count + t;
}
Cell next_cell(const BlockContext* block, std::uint32_t t) {
  const auto n = argument<std::uint32_t>(block, 1);
  return argument<const Cell*>(block, 0)[(cell_of(block, t) + 1) % n] + 1;
}

void fetch(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) slot<Cell>(block, 0, t) = next_cell(block, t);
}
void store(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  auto* cells = argument<Cell*>(block, 0);
  for (std::uint32_t t = first; t < last; ++t) cells[cell_of(block, t)] = slot<Cell>(block, 0, t);
}

void rotate_on_fiber(ThreadContext* thread) {
  BlockContext* block = thread->block;
  const auto meet = [&] {
    gridspan_fiber_barrier(thread, static_cast<std::uint32_t>(SyncKind::grid_barrier), 0, nullptr);
  };
  for (int round = 0; round < 2; ++round) {
    const Cell value = next_cell(block, thread->thread);
    meet();
    argument<Cell*>(block, 0)[cell_of(block, thread->thread)] = value;
    meet();
  }
}

KernelParts rotation_as_regions() {
  constexpr SyncKind meet = SyncKind::grid_barrier;
  return {.regions = {{fetch, 1, {}, {}},
                      {store, 2, meet, {}},
                      {fetch, 3, meet, {}},
                      {store, abi::exited, meet, {}}},
          .flags = abi::kernel_has_block_sync | abi::kernel_has_grid_sync,
          .frame_bytes = sizeof(Cell)};
}
KernelParts rotation_on_fibers() {
  return {.thread = rotate_on_fiber, .flags = abi::kernel_has_grid_sync};
}

void expect_rotated(devices::Device& device, const TestKernel& kernel, Dim grid,
                    std::uint32_t threads) {
  const std::uint32_t n = grid.x * grid.y * grid.z * threads;
  std::vector<Cell> cells(n);
  std::iota(cells.begin(), cells.end(), 100);
  Cell* data = cells.data();
  expect_clean(run(device, kernel, {grid, {threads, 1, 1}, {&data, &n}}));
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(cells[i], 100 + (i + 2) % n + 2) << i;
}

class GridBarriers : public testing::TestWithParam<unsigned> {
 protected:
  std::unique_ptr<devices::Device> device_ = devices::cpu::make_device({.threads = GetParam()});
};

INSTANTIATE_TEST_SUITE_P(Threads, GridBarriers, testing::Values(1u, 2u, 3u, 7u));

TEST_P(GridBarriers, OpenWhenEveryBlockHasCome) {
  const TestKernel regions(rotation_as_regions()), fibers(rotation_on_fibers());
  for (const Dim grid : {Dim{1, 1, 1}, Dim{13, 1, 1}, Dim{2, 3, 4}}) {
    for (const std::uint32_t threads : {1u, 33u, 64u}) {
      expect_rotated(*device_, regions, grid, threads);
      expect_rotated(*device_, fibers, grid, threads);
    }
  }
}

TEST_P(GridBarriers, HoldAnyNumberOfBlocksAsRegions) {
  expect_rotated(*device_, TestKernel(rotation_as_regions()), {3001, 1, 1}, 32);
}

TEST_P(GridBarriers, OnFibersMoreBlocksThanFitAreRefused) {
  const std::uint32_t most = GetParam() * devices::cpu::max_resident_blocks;
  const TestKernel kernel(rotation_on_fibers());
  expect_rotated(*device_, kernel, {most, 1, 1}, 32);
  std::vector<Cell> cells(32 * (most + 1));
  Cell* data = cells.data();
  const auto n = static_cast<std::uint32_t>(cells.size());
  const RunResult result = run(*device_, kernel, {{most + 1, 1, 1}, {32, 1, 1}, {&data, &n}});
  EXPECT_EQ(result.fault, Fault::trap);
  EXPECT_NE(result.message.find("waits for all"), std::string::npos) << result.message;
}

// --- the first half of a block waits for the grid, the second for the block

void part_ways(BlockContext* block, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t t = first; t < last; ++t) block->next[t] = t < block->thread_count / 2 ? 1 : 2;
}
void never(BlockContext*, std::uint32_t, std::uint32_t) { ADD_FAILURE() << "went on"; }

TEST_P(GridBarriers, AreNotReachedByHalfABlock) {
  const TestKernel kernel(
      {.regions = {{part_ways, many, {}, {}},
                   {never, abi::exited, SyncKind::grid_barrier, {"halves.cu", 3, 1}},
                   {never, abi::exited, SyncKind::barrier, {"halves.cu", 5, 1}}},
       .flags = abi::kernel_has_block_sync | abi::kernel_has_grid_sync});
  const RunResult result = run(*device_, kernel, {{4, 1, 1}, {64, 1, 1}});
  EXPECT_EQ(result.fault, Fault::barrier_deadlock);
  EXPECT_NE(result.message.find("threads 0-31 at grid.sync (halves.cu:3:1)"), std::string::npos)
      << result.message;
}

}  // namespace
}  // namespace gridspan::test::grid_barrier
