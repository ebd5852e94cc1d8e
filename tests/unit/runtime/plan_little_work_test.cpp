// Launches that take devices less time than it takes to begin them: when they are kept whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"
#include "plan_split_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace gridspan::tests {

using namespace gridspan::runtime;
using namespace planning;

namespace {

/// Devices of 100 GB/s, links of 10 GB/s. To begin a command takes as long as to work on 0.3 MB.
devices::Measured machine(unsigned count, double begin_seconds = 3e-6) {
  devices::Measured made;
  made.memory.assign(count, 1e11);
  made.links.assign(count, std::vector<devices::Link>(count, devices::Link{1e-6, 1e10}));
  made.begin_seconds = begin_seconds;
  return made;
}

void increase(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i < argument<std::int32_t>(thread, 2))
    argument<int*>(thread, 1)[i] = argument<const int*>(thread, 0)[i] + 1;
}

class LittleWork : public PlanTest {
 protected:
  static constexpr std::int32_t large = 2 << 20, blocks = 64, little = 256 * blocks - 7;
  /// Half of it is before the middle of `large`.
  static constexpr std::int32_t in_the_middle = large / 2 - blocks / 2 * 256;

  LittleWork() {
    kernel_.array(4, {set(SetKind::read, own_element, exact)})
        .array(4, {set(SetKind::must_write, own_element, exact)})
        .runs<increase>()
        .executes(10);
  }
  KernelCommand command(const void* to, const void* from, std::int32_t count) {
    return kernel_.command({static_cast<std::uint32_t>((count + 255) / 256), 1, 1}, {256, 1, 1},
                           {from, to}, {count});
  }
  std::vector<LaunchPlan> ways_of(std::int32_t count, double begin_seconds = 3e-6,
                                  std::uint32_t instructions = 10) {
    kernel_.executes(instructions);
    return ways(command(allocate(4 * large), allocate(4 * large), count),
                Machine(machine(2, begin_seconds)));
  }
  static bool has_little(const std::vector<LaunchPlan>& ways) {
    return std::ranges::any_of(ways, [](const LaunchPlan& way) { return way.is_little; });
  }
  static bool has_whole(const std::vector<LaunchPlan>& ways) {
    return std::ranges::any_of(ways, [](const LaunchPlan& way) { return way.is_whole_little(); });
  }

 private:
  ModelledKernel kernel_{"increase", 2, 1};
};

TEST_F(LittleWork, MayStayWhole) {
  const std::vector<LaunchPlan> plans = ways_of(little);
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0].parts.size(), 2u);
  EXPECT_TRUE(plans[0].is_little);
  EXPECT_FALSE(plans[0].is_whole_little());
  ASSERT_TRUE(plans[1].is_whole_little());
  EXPECT_EQ(plans[1].parts[0].device, 0u);
  for (const auto& others : {ways_of(large), ways_of(little, 0), ways_of(little, 3e-6, 0),
                             ways_of(little, 3e-6, 10000)}) {
    EXPECT_FALSE(has_little(others));  // much, or nobody knows how much
    EXPECT_FALSE(has_whole(others));
  }
}

/// A program whose numbers all go up by one each launch.
class LittlePrograms : public LittleWork {
 protected:
  explicit LittlePrograms() : numbers_(large) { std::iota(numbers_.begin(), numbers_.end(), -7); }

  ~LittlePrograms() override { bench.finish(); }  // the kernel goes with the test

  void fill() { bench.copy(a, numbers_.data(), 4 * std::size_t{large}); }
  void launch(std::int32_t count, std::int32_t first = 0) {
    bench.launch(command(b + first, a + first, count));
    std::swap(a, b);
  }
  std::uint64_t parts_of(int launches, std::int32_t count, std::int32_t first = 0) {
    const std::uint64_t before = bench.many.traffic().parts.get();
    for (int i = 0; i < launches; ++i) launch(count, first);
    return bench.many.traffic().parts.get() - before;
  }
  void expect_increased(std::int32_t by, std::int32_t count, std::int32_t first = 0) {
    const std::vector<int> now = bench.read(a + first, static_cast<std::size_t>(count));
    std::int32_t wrong = 0;
    for (std::int32_t i = 0; i < count; ++i)
      wrong += now[static_cast<std::size_t>(i)] != first + i - 7 + by;
    EXPECT_EQ(wrong, 0);
  }

  PlanBench bench{2, {.policy = {}, .measured = machine(2)}};
  int *a = bench.allocate<int>(large), *b = bench.allocate<int>(large);

 private:
  std::vector<int> numbers_;
};

TEST_F(LittlePrograms, LargeLaunchesAreSplit) {
  fill();
  EXPECT_EQ(parts_of(6, large), 12u);
  expect_increased(6, large);
}

/// What nobody wrote yet lies nowhere.
TEST_F(LittlePrograms, AtHomeFromTheStart) {
  EXPECT_EQ(parts_of(6, little), 6u);
  EXPECT_EQ(bench.many.traffic().between.copies.get(), 0u);
}

/// The host's data lies on all devices: first launches are split, then it is gathered, once.
TEST_F(LittlePrograms, SpreadDataIsGatheredWhenTheyAreRepeated) {
  fill();
  const std::uint64_t at_first = parts_of(4, little, in_the_middle);
  EXPECT_GT(at_first, 4u);
  parts_of(16, little, in_the_middle);
  const std::uint64_t copied = bench.many.traffic().between.copies.get();
  EXPECT_EQ(parts_of(20, little, in_the_middle), 20u);
  EXPECT_EQ(bench.many.traffic().between.copies.get(), copied);
  expect_increased(40, little, in_the_middle);
}

/// A large launch before each little one spreads what that would have to gather.
TEST_F(LittlePrograms, AreSplitWhereOthersSpreadTheirData) {
  fill();
  const auto turn = [&] {
    launch(large);
    launch(little, in_the_middle);
    launch(large);
    launch(little, in_the_middle);
  };
  for (int i = 0; i < 40; ++i) turn();
  const std::uint64_t copied = bench.many.traffic().between.copies.get();
  for (int i = 0; i < 10; ++i) turn();
  EXPECT_EQ(bench.many.traffic().between.copies.get(), copied);
  expect_increased(200, little, in_the_middle);
}

/// ... or that it writes: from one device, what the large one reads would have to be spread.
TEST_F(LittlePrograms, AreSplitWhereOthersReadWhatTheyWrite) {
  const std::uint64_t parts = 2 * 2 * 20;
  std::uint64_t used = 0;
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t before = bench.many.traffic().parts.get();
    launch(large);
    launch(little, in_the_middle);
    used += bench.many.traffic().parts.get() - before;
  }
  EXPECT_EQ(used, parts);
  EXPECT_EQ(bench.many.traffic().between.copies.get(), 0u);
}

/// ... but not if it is done often before that happens.
TEST_F(LittlePrograms, AreGatheredIfThatIsSeldom) {
  fill();
  const auto turn = [&] {
    launch(large);
    launch(large);
    return parts_of(400, little, in_the_middle);
  };
  for (int i = 0; i < 10; ++i) turn();
  EXPECT_LE(turn(), 640u);
  expect_increased(11 * 402, little, in_the_middle);
}

}  // namespace

}  // namespace gridspan::tests
