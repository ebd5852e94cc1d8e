// Parts that follow their bytes, and what a shrinking grid costs then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/follow.h"

#include "plan_bench.h"
#include "runtime/plan/split.h"

#include <numeric>

namespace gridspan::tests::plan_follow {

using namespace gridspan::runtime;

namespace {

constexpr abi::Dim block{32, 1, 1};

/// Thread i works on element k + i < n; n and k are the scalars.
void add_one(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread)) + argument<std::int32_t>(thread, 2);
  if (i < argument<std::int32_t>(thread, 1)) ++argument<int*>(thread, 0)[i];
}
void own_from(const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
  const std::int64_t k = values[7];
  emit(sink, k + part[0] * values[3], std::min(k + (part[3] + 1) * values[3], values[6]) - 1);
}

class Following : public testing::Test {
 protected:
  Following() {
    kernel
        .array(4, {set(SetKind::read, own_from, exact), set(SetKind::must_write, own_from, exact)})
        .runs<add_one>();
  }

  ModelledKernel kernel{"add", 1, 2};
};

struct Shrunk {
  std::vector<int> values;
  std::uint64_t copies;  // between devices
};

/// Of `n` elements, those from `step` * i on get one more at step i.
Shrunk shrink(ModelledKernel& kernel, unsigned devices, std::int32_t n, std::int32_t step,
              std::int32_t steps, const Policy& policy) {
  PlanBench bench(devices, {.policy = policy});
  int* const data = bench.allocate<int>(static_cast<std::size_t>(n));
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  bench.copy(data, values.data(), values.size() * sizeof(int));
  for (std::int32_t i = 0; i < steps; ++i) {
    const std::int32_t k = i * step;
    const abi::Dim grid{(static_cast<std::uint32_t>(n - k) + block.x - 1) / block.x, 1, 1};
    bench.launch(kernel.command(grid, block, {data}, {n, k}));
  }
  const std::uint64_t copies = bench.many.traffic().between.copies.get();
  return {bench.read(data, values.size()), copies};
}

std::vector<int> expected(std::int32_t n, std::int32_t step, std::int32_t steps) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  for (std::int32_t i = 0; i < steps; ++i)
    for (std::int32_t at = i * step; at < n; ++at) ++values[static_cast<std::size_t>(at)];
  return values;
}

/// The cut stays where it is until parts are too unlike. Then it moves as much as equal parts did
/// by then, in one copy.
TEST_F(Following, AGridThatShrinksMovesBytesSeldom) {
  constexpr std::int32_t n = 32 * 1000, step = 32, steps = 600;
  const Shrunk equal = shrink(kernel, 2, n, step, steps, {.follows_patterns = false});
  const Shrunk follows = shrink(kernel, 2, n, step, steps, {});
  EXPECT_EQ(equal.values, expected(n, step, steps));
  EXPECT_EQ(follows.values, equal.values);
  EXPECT_GE(equal.copies, steps / 2u - 1);
  EXPECT_LE(follows.copies, equal.copies / 10);
  EXPECT_GT(follows.copies, 5u);  // parts stay about as large as each other
}

TEST_F(Following, ResultsAreRightWhereverGridsBegin) {
  for (const unsigned devices : {2u, 3u, 5u}) {
    for (const std::int32_t step : {1, 7, 33, 64}) {
      constexpr std::int32_t n = 5003, steps = 60;
      EXPECT_EQ(shrink(kernel, devices, n, step, steps, {}).values, expected(n, step, steps));
    }
  }
}

/// Launches that are repeated are worth equal parts.
TEST_F(Following, ALaunchThatIsRepeatedChangesOver) {
  constexpr std::int32_t n = 32 * 1024;  // each half is a number of pages
  PlanBench bench(2, {.policy = {}});
  int* const data = bench.allocate<int>(n);
  bench.fill(data, 0, n * sizeof(int));
  const auto launch = [&](std::int32_t k) {
    const abi::Dim grid{static_cast<std::uint32_t>((n - k) / 32), 1, 1};
    bench.launch(kernel.command(grid, block, {data}, {n, k}));
  };
  launch(0);
  launch(32 * 40);  // the second part has 512 of 984 blocks
  const Traffic& traffic = bench.many.traffic();
  EXPECT_EQ(traffic.between.copies.get(), 0u);
  for (int i = 0; i < 100; ++i) launch(32 * 40);
  EXPECT_EQ(traffic.changed_over.get(), 1u);
  EXPECT_EQ(traffic.between.copies.get(), 1u);
  const std::vector<int> values = bench.read(data, n);
  EXPECT_EQ(values[32 * 40 - 1], 1);
  EXPECT_EQ(values[32 * 40], 102);
  EXPECT_EQ(values[n - 1], 102);
}

/// Two parts of 50 blocks of an array whose device 1 begins at another element.
class FollowingParts : public Following {
 protected:
  static constexpr std::int32_t n = 32 * 100;

  std::vector<std::uint32_t> blocks(std::int32_t second_begins,
                                    DeviceSet first = DeviceSet::only(0),
                                    DeviceSet second = DeviceSet::only(1)) {
    const auto base = std::uintptr_t{1} << 20;
    table.insert({base, 4 * n, MemoryKind::device, 0});
    const KernelCommand command =
        kernel.command({100, 1, 1}, block, {reinterpret_cast<void*>(base)}, {n, 0});
    const BoundLaunch launch(command, buffers);
    const std::vector<LaunchPlan> ways = split(launch, {100, 1, 1}, Machine({1, 1}), true);
    VirtualBuffer& buffer = *buffers.find(base);
    buffer.holders.assign(regions::byte_range(0, 4 * second_begins), first);
    buffer.holders.assign(regions::byte_range(4 * second_begins, 4 * n), second);
    std::vector<std::uint32_t> counts;
    for (const CutPart& part : following_parts(ways.front(), {100, 1, 1}, 1))
      counts.push_back(part.blocks.count.x);
    return counts;
  }

  AllocationTable table;
  BufferTable buffers{table, 2};
};
using Counts = std::vector<std::uint32_t>;

TEST_F(FollowingParts, AreCutWhereTheBytesOfTheNextDeviceBegin) {
  EXPECT_EQ(blocks(32 * 52), (Counts{52, 48}));
  EXPECT_EQ(blocks(32 * 47), (Counts{47, 53}));
  EXPECT_EQ(blocks(32 * 52 + 15), (Counts{52, 48}));  // in the middle of a block: most of it counts
  EXPECT_EQ(blocks(32 * 52 + 17), (Counts{53, 47}));
}

TEST_F(FollowingParts, AreNoneWhereTheLaunchFollowsAnyway) { EXPECT_EQ(blocks(32 * 50), Counts{}); }

TEST_F(FollowingParts, StayAboutAsLargeAsEqualOnes) {
  EXPECT_EQ(blocks(32 * 53), (Counts{53, 47}));
  EXPECT_EQ(blocks(32 * 54), Counts{});
  EXPECT_EQ(blocks(32 * 90), Counts{});
}

TEST_F(FollowingParts, AreNoneWhereBytesLieInNoOrder) {
  EXPECT_EQ(blocks(32 * 52, DeviceSet::only(1), DeviceSet::only(0)), Counts{});
  EXPECT_EQ(blocks(32 * 52, DeviceSet(), DeviceSet()), Counts{});
  EXPECT_EQ(blocks(32 * 52, DeviceSet::only(0), DeviceSet::only(0)), Counts{});
}

}  // namespace
}  // namespace gridspan::tests::plan_follow
