// Other schemes and measurements: what moves, and what does not, when parts of the planner are off.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"
#include "runtime/plan/placement.h"

#include <numeric>

namespace gridspan::tests::plan_policy {

using namespace gridspan::runtime;

namespace {

constexpr std::int32_t n = 4096;
constexpr unsigned devices = 4;
constexpr abi::Dim grid{32, 1, 1}, block{128, 1, 1};
constexpr std::uint64_t bytes = 4 * n;

/// Every element of the array, for whichever blocks.
void everything(const std::int64_t* values, const std::int64_t*, abi::BoxSink* sink) {
  emit(sink, 0, values[6] - 1);
}
void add_last(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  const auto count = argument<std::int32_t>(thread, 2);
  if (i < count) argument<int*>(thread, 1)[i] += argument<const int*>(thread, 0)[count - 1];
}
void add_one(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i < argument<std::int32_t>(thread, 1)) ++argument<int*>(thread, 0)[i];
}

/// Rows of 32 blocks in x, one row of threads each; two in y.
constexpr abi::Dim wide{32, 2, 1};
void own_rows(const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
  const std::int64_t width = values[0] * values[3];
  for (std::int64_t y = part[1]; y <= part[4]; ++y) {
    emit(sink, y * width + part[0] * values[3], y * width + (part[3] + 1) * values[3] - 1);
  }
}
void number_rows(abi::ThreadContext* thread) {
  const abi::LaunchContext& launch = *thread->block->launch;
  const std::uint32_t width = launch.grid.x * launch.block.x;
  const std::uint32_t i =
      static_cast<std::uint32_t>(thread->block->block_index.y * width + global_x(thread));
  argument<int*>(thread, 0)[i] = static_cast<int>(i);
}

class PlanPolicy : public testing::Test {
 protected:
  PlanPolicy() {
    gather.array(4, {set(SetKind::read, everything, exact)})
        .array(4, {set(SetKind::read, own_element, exact),
                   set(SetKind::must_write, own_element, exact)})
        .runs<add_last>();
    gather.model().axes[0] = {always_holds, 1, 0};
    count
        .array(4, {set(SetKind::read, own_element, exact),
                   set(SetKind::must_write, own_element, exact)})
        .runs<add_one>();
    count.model().axes[0] = {always_holds, 1, 0};
  }

  struct Result {
    std::uint64_t between;
    std::uint64_t parts;
    std::vector<int> values;
  };
  /// Each device writes its part of `a`; then two launches read all of it.
  Result run(const Policy& policy) {
    PlanBench bench(devices, {.policy = policy});
    int* const a = bench.allocate<int>(n);
    int* const b = bench.allocate<int>(n);
    std::vector<int> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    bench.copy(a, numbers.data(), bytes);
    bench.copy(b, numbers.data(), bytes);
    bench.finish();
    bench.launch(count.command(grid, block, {a}, {n}));
    bench.launch(count.command(grid, block, {b}, {n}));
    const std::uint64_t before = bench.many.traffic().between.bytes.get();
    const std::uint64_t parts = bench.many.traffic().parts.get();
    for (int turn = 0; turn < 2; ++turn) bench.launch(gather.command(grid, block, {a, b}, {n}));
    bench.finish();
    const Traffic& traffic = bench.many.traffic();
    return {traffic.between.bytes.get() - before, traffic.parts.get() - parts, bench.read(b, n)};
  }
  static std::vector<int> right() {
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), 1 + 2 * n);
    return values;
  }

  ModelledKernel gather{"gather", 2, 1}, count{"count", 1, 1};
  static constexpr std::uint64_t once = (devices - 1) * bytes;
};

TEST_F(PlanPolicy, ReplicasMoveOnce) {
  const Result usual = run({});
  EXPECT_EQ(usual.between, once);
  EXPECT_EQ(usual.values, right());
}

TEST_F(PlanPolicy, WithOneOwnerTheyMoveForEachLaunch) {
  const Result result = run({.keeps_replicas = false, .follows_patterns = false});
  EXPECT_EQ(result.between, 2 * once);
  EXPECT_EQ(result.values, right());
}

TEST_F(PlanPolicy, AnAxisThatLeavesDevicesIdleIsNotTakenForNothing) {
  ModelledKernel rows{"rows", 1, 0};
  rows.array(4, {set(SetKind::must_write, own_rows, exact)}).runs<number_rows>();
  rows.model().axes[0] = rows.model().axes[1] = {always_holds, 1, 0};
  rows.model().suggested_axis = 1;  // two parts for four devices
  for (const bool weighs : {true, false}) {
    PlanBench bench(devices, {.policy = {.weighs_work = weighs}});
    int* const a = bench.allocate<int>(2 * n);
    bench.launch(rows.command(wide, block, {a}));
    bench.finish();
    EXPECT_EQ(bench.many.traffic().parts.get(), weighs ? devices : 2u);
    std::vector<int> numbers(2 * n);
    std::iota(numbers.begin(), numbers.end(), 0);
    EXPECT_EQ(bench.read(a, 2 * n), numbers);
  }
}

TEST_F(PlanPolicy, WithoutTransfersAllElseIsDone) {
  const Result result = run({.moves = false});
  EXPECT_EQ(result.between, 0u);
  EXPECT_EQ(result.parts, 2u * devices);
  EXPECT_NE(result.values, right());
}

TEST_F(PlanPolicy, WithoutPatternsPartsRunAllTheSame) {
  const Result result = run({.moves = false, .resolves = false});
  EXPECT_EQ(result.between, 0u);
  EXPECT_EQ(result.parts, 2u * devices);
}

TEST_F(PlanPolicy, WithoutPatternsEvenSmallBuffersAreDistributed) {
  constexpr std::size_t size = 1000;
  VirtualBuffer buffer({0x100000, size, MemoryKind::device, 0}, devices, DeviceSet::only(2));
  const auto places = placement(buffer, std::vector<std::uint32_t>(devices, 1), false);
  std::vector<std::int64_t> share(devices);
  places.query(places.view().whole(), [&](const regions::Box& piece, DeviceSet set) {
    ASSERT_EQ(set, DeviceSet::only(set.first()));
    share[set.first()] += piece.volume();
  });
  EXPECT_EQ(std::accumulate(share.begin(), share.end(), std::int64_t{0}), 1000);
  for (const std::int64_t one : share) EXPECT_NEAR(double(one), double(size) / devices, 32);
}

TEST(PolicyOf, FollowsTheOptions) {
  support::Options options;
  EXPECT_TRUE(policy_of(options).keeps_replicas && policy_of(options).follows_patterns);
  EXPECT_TRUE(policy_of(options).moves && policy_of(options).resolves);
  EXPECT_FALSE(is_planned(options, 1));
  EXPECT_TRUE(is_planned(options, 2));
  options.policy = support::PlanPolicy::always;
  EXPECT_TRUE(is_planned(options, 1));
  EXPECT_TRUE(policy_of(options).keeps_replicas);
  options.policy = support::PlanPolicy::mekong;
  EXPECT_FALSE(is_planned(options, 1));
  EXPECT_FALSE(policy_of(options).keeps_replicas || policy_of(options).follows_patterns);
  options.ablation = support::Ablation::transfers;
  EXPECT_TRUE(!policy_of(options).moves && policy_of(options).resolves);
  options.ablation = support::Ablation::patterns;
  EXPECT_FALSE(policy_of(options).moves || policy_of(options).resolves);
}

}  // namespace

}  // namespace gridspan::tests::plan_policy
