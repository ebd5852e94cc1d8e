// Blocks that work more than others: what is thought of them, and how they are cut.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"
#include "plan_split_fixture.h"
#include "runtime/plan/plan_cost.h"

#include <numeric>

namespace gridspan::tests::planning {

namespace {

constexpr std::uint32_t blocks = 64;
constexpr abi::Dim row_of_blocks{blocks, 1, 1}, one_thread{1, 1, 1};

void own_number(const std::int64_t*, const std::int64_t* part, abi::BoxSink* sink) {
  emit(sink, part[0], part[3]);
}
/// Block i reads numbers i .. blocks - 1.
void from_own_on(const std::int64_t*, const std::int64_t* part, abi::BoxSink* sink) {
  emit(sink, part[0], blocks - 1);
}
void sum_from_own_on(abi::ThreadContext* thread) {
  const auto i = static_cast<std::uint32_t>(global_x(thread));
  const int* in = argument<const int*>(thread, 0);
  argument<int*>(thread, 1)[i] = std::accumulate(in + i, in + blocks, 0);
}

TEST(AxisProfile, PlacesAndWorkAreInverse) {
  const AxisProfile even, uneven({4, 3, 2, 1, 0, 2});
  EXPECT_TRUE(even.is_even());
  EXPECT_FALSE(uneven.is_even());
  EXPECT_TRUE(AxisProfile({0, 0}).is_even());  // nothing is known
  for (int i = 0; i <= 100; ++i) {
    const double work = i / 100.0;
    EXPECT_DOUBLE_EQ(even.place_of(work), work);
    EXPECT_NEAR(uneven.before(uneven.place_of(work)), work, 1e-9);
  }
  EXPECT_DOUBLE_EQ(uneven.before(0.5), 9.0 / 12);
  EXPECT_DOUBLE_EQ(uneven.place_of(4.0 / 12), 1.0 / 6);
}

class UnevenWork : public PlanTest {
 protected:
  std::vector<LaunchPlan> triangle(unsigned devices) {
    ModelledKernel kernel("triangle", 2, 0);
    kernel.array(4, {set(SetKind::read, from_own_on, exact)})
        .array(4, {set(SetKind::must_write, own_number, exact)});
    return ways(kernel.command(row_of_blocks, one_thread, {allocate(4096), allocate(4096)}),
                devices);
  }
};

/// Numbers that the blocks of the busiest part read.
std::uint64_t most_read(const LaunchPlan& plan) {
  std::uint64_t most = 0;
  for (const PartPlan& part : plan.parts) {
    std::uint64_t own = 0;
    for (std::uint32_t i = 0; i < part.block_count.x; ++i) own += blocks - part.first_block.x - i;
    most = std::max(most, own);
  }
  return most;
}

TEST_F(UnevenWork, IsSharedEquallyInOneOfTheWays) {
  constexpr std::uint64_t all = blocks * (blocks + 1) / 2;
  for (const unsigned devices : {2u, 3u, 4u, 7u}) {
    const std::vector<LaunchPlan> plans = triangle(devices);
    ASSERT_EQ(plans.size(), 2u);
    EXPECT_EQ(plans[0].parts[0].block_count.x, (2 * blocks + devices) / (2 * devices));
    std::uint32_t next = 0;
    for (const PartPlan& part : plans[1].parts) {
      EXPECT_EQ(part.first_block.x, next);
      next += part.block_count.x;
    }
    EXPECT_EQ(next, blocks);
    // Borders are rounded to blocks: each is off by half a block of at most `blocks` numbers.
    EXPECT_LE(most_read(plans[1]), all / devices + blocks);
    EXPECT_GT(most_read(plans[0]), all / devices + 2 * blocks);
    EXPECT_LT(plans[1].work, 0.8 * plans[0].work);
    EXPECT_EQ(idle_bytes(plans[1], plans), 0);
  }
}

TEST_F(UnevenWork, IsNotSeenInAFewBlocksOrSmallDifferences) {
  ModelledKernel kernel("own", 1, 0);
  kernel.array(4, {set(SetKind::must_write, own_number, exact)});
  const void* a = allocate(4096);
  EXPECT_EQ(ways(kernel.command(row_of_blocks, one_thread, {a}), 3).size(), 1u);
  ModelledKernel triangle("triangle", 1, 0);
  triangle.array(4, {set(SetKind::read, from_own_on, exact)});
  EXPECT_EQ(ways(triangle.command({7, 1, 1}, one_thread, {a}), 3).size(), 1u);
}

TEST(UnevenLaunches, HaveTheSameResults) {
  for (const unsigned devices : {2u, 3u, 7u}) {
    PlanBench bench(devices, {.policy = {}});
    ModelledKernel kernel("triangle", 2, 0);
    kernel.array(4, {set(SetKind::read, from_own_on, exact)})
        .array(4, {set(SetKind::must_write, own_number, exact)})
        .runs<sum_from_own_on>();
    int* const in = bench.allocate<int>(blocks);
    int* const out = bench.allocate<int>(blocks);
    std::vector<int> numbers(blocks), want(blocks);
    std::iota(numbers.begin(), numbers.end(), 3);
    for (std::uint32_t i = 0; i < blocks; ++i) {
      want[i] = std::accumulate(numbers.begin() + i, numbers.end(), 0);
    }
    bench.copy(in, numbers.data(), 4 * blocks);
    bench.fill(out, 0x5a, 4 * blocks);
    bench.finish();
    for (int turn = 0; turn < 3; ++turn) {
      bench.launch(kernel.command(row_of_blocks, one_thread, {in, out}));
    }
    EXPECT_EQ(bench.read(out, blocks), want);
  }
}

}  // namespace

}  // namespace gridspan::tests::planning
