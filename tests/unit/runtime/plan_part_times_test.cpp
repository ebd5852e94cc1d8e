// Who takes part, by measured times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/part_times.h"

#include "devices/cpu/cpu_device.h"
#include "plan_split_fixture.h"

#include <memory>

namespace gridspan::tests {

using namespace planning;
using runtime::Machine, runtime::PartTimes, runtime::Shares;

namespace {

/// A CPU at home, and a GPU whose memory is four times as fast.
class PartTime : public PlanTest {
 protected:
  static constexpr double bytes = 1e6;
  static constexpr unsigned cpu = 0, gpu = 1;

  /// Four samples, of which the first does not count.
  void time(unsigned device, double seconds) {
    times.add(kernel, device, bytes, 100 * seconds);
    for (int i = 0; i < 3; ++i) times.add(kernel, device, bytes, seconds);
  }
  /// Parts of the GPU until the kernel has run long enough for others to be asked.
  void run_long() {
    for (int i = 0; i < 200 && !times.machine_for(kernel).asks_all(); ++i)
      times.clock_for(kernel, gpu, device->queue(), bytes);
  }
  std::vector<std::uint32_t> speeds() { return times.machine_for(kernel).speeds(); }

  std::unique_ptr<devices::Device> device = devices::cpu::make_device({.threads = 1});
  ModelledKernel own{"own", 1, 1};
  const abi::Kernel& kernel = *own.command(grid, block, {nullptr}, {n}).kernel;
  Machine machine{{100, 400}};
  PartTimes times{{"cpu", "cuda"}, machine, true};
};

TEST_F(PartTime, DevicesOfOneKindAreNotTimed) {
  EXPECT_TRUE(times.is_used());
  EXPECT_FALSE(PartTimes({"cuda", "cuda"}, machine, true).is_used());
  EXPECT_FALSE(PartTimes({"cpu", "cuda"}, machine, false).is_used());
}

TEST_F(PartTime, OnlyTheFastestTakePartAtFirst) {
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{0, 400}));
  EXPECT_FALSE(times.machine_for(kernel).asks_all());
}

TEST_F(PartTime, AnotherOneIsAskedOnceTheKernelHasRunLong) {
  const auto before = times.version(kernel);
  run_long();
  EXPECT_EQ(times.version(kernel), before);  // nobody knows how long that took
  time(gpu, 1e-3);
  EXPECT_NE(times.version(kernel), before);
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{0, 400}));
  run_long();
  EXPECT_TRUE(times.machine_for(kernel).asks_all());
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{1, 400}));
}

/// The host may be far ahead of them.
TEST_F(PartTime, TrialPartsEndBeforeTheirTimesAreKnown) {
  time(gpu, 1e-3);
  run_long();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(times.machine_for(kernel).asks_all());
    EXPECT_NE(times.clock_for(kernel, cpu, device->queue(), bytes), nullptr);
    times.version(kernel);
  }
  EXPECT_FALSE(times.machine_for(kernel).asks_all());
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{0, 400}));
  for (int i = 0; i < 100; ++i) times.version(kernel);
  const auto before = times.version(kernel);
  for (int i = 0; i < 3; ++i) times.add(kernel, cpu, bytes, 2e-3);
  EXPECT_NE(times.version(kernel), before);
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{200, 400}));
}

TEST_F(PartTime, AskingEndsWithoutAnAnswer) {
  time(gpu, 1e-3);
  run_long();
  ASSERT_TRUE(times.machine_for(kernel).asks_all());
  const auto before = times.version(kernel);
  for (int i = 0; i < 30; ++i) times.version(kernel);
  EXPECT_TRUE(times.machine_for(kernel).asks_all());
  for (int i = 0; i < 40; ++i) times.version(kernel);
  EXPECT_FALSE(times.machine_for(kernel).asks_all());
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{0, 400}));
  EXPECT_NE(times.version(kernel), before);
}

TEST_F(PartTime, ClocksOfWorkThatIsLeftOutAreDropped) {
  times.clock_for(kernel, gpu, device->queue(), bytes);  // whose work is gone
  for (int i = 0; i < 2; ++i) {
    const auto clock = times.clock_for(kernel, gpu, device->queue(), bytes);
    clock->begin();
    clock->end();
  }
  times.look();
  times.add(kernel, gpu, bytes, 1e-3);
  EXPECT_EQ(times.version(kernel), 1u);  // the third, with the two that were looked at
}

TEST_F(PartTime, ShareIsByTime) {
  time(gpu, 1e-3);
  run_long();
  time(cpu, 8e-3);
  EXPECT_FALSE(times.machine_for(kernel).asks_all());
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{50, 400}));
  EXPECT_NEAR(times.machine_for(kernel).working(cpu), 8, 1e-9);
  EXPECT_NEAR(times.machine_for(kernel).working(gpu), 1, 1e-9);
}

TEST_F(PartTime, OneThatIsMuchSlowerIsLeftOut) {
  time(gpu, 1e-3);
  run_long();
  time(cpu, 40e-3);
  EXPECT_EQ(times.machine_for(kernel).speeds_of_fast(), (std::vector<std::uint32_t>{0, 400}));
}

TEST_F(PartTime, OneThatIsFasterAfterAllGetsMore) {
  time(gpu, 1e-3);
  run_long();
  time(cpu, 0.5e-3);
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{800, 400}));
}

TEST_F(PartTime, SlowMemoryIsNeverAsked) {
  const Machine unlike({10, 400});
  PartTimes slow({"cpu", "cuda"}, unlike, true);
  for (int i = 0; i < 4; ++i) slow.add(kernel, gpu, bytes, 1);
  for (int i = 0; i < 99; ++i) slow.clock_for(kernel, gpu, device->queue(), bytes);
  EXPECT_FALSE(slow.machine_for(kernel).asks_all());
  EXPECT_EQ(slow.machine_for(kernel).speeds(), (std::vector<std::uint32_t>{0, 400}));
}

TEST_F(PartTime, PlansAreMadeAnewOnlyWhereTimesChange) {
  time(gpu, 1e-3);
  const auto version = times.version(kernel);
  for (int i = 0; i < 9; ++i) times.add(kernel, gpu, bytes, 1.1e-3);
  EXPECT_EQ(times.version(kernel), version);
  times.add(kernel, gpu, bytes, 2e-3);
  EXPECT_NE(times.version(kernel), version);
  times.forget();
  EXPECT_EQ(times.version(kernel), 0u);
}

/// So many launches, in which the GPU takes part.
TEST_F(PartTime, OneThatIsLeftOutIsAskedAgain) {
  time(gpu, 1e-3);
  run_long();
  time(cpu, 40e-3);
  const auto launches_until_asked = [&] {
    int launches = 0;
    for (; launches < 100'000 && !times.machine_for(kernel).asks_all(); ++launches) {
      times.version(kernel);
      if (launches % 64 == 0) times.add(kernel, gpu, bytes, 1e-3);
    }
    return launches;
  };
  EXPECT_EQ(times.machine_for(kernel).speeds_of_fast(), (std::vector<std::uint32_t>{0, 400}));
  EXPECT_EQ(launches_until_asked(), 1025);
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{10, 400}));
  time(cpu, 41e-3);  // nothing has changed
  EXPECT_EQ(times.machine_for(kernel).speeds_of_fast(), (std::vector<std::uint32_t>{0, 400}));
  EXPECT_EQ(launches_until_asked(), 2049);
  for (int i = 0; i < 70; ++i) times.version(kernel);  // no answer
  EXPECT_FALSE(times.machine_for(kernel).asks_all());
  EXPECT_NEAR(launches_until_asked(), 4096, 70);
  time(cpu, 2e-3);
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{200, 400}));
}

/// Beside a CPU that is much faster the GPU is left out, whose memory is the fastest.
TEST_F(PartTime, TheFastestMemoryIsAskedAgain) {
  time(gpu, 1e-3);
  run_long();
  time(cpu, 0.01e-3);
  EXPECT_EQ(times.machine_for(kernel).speeds_of_fast(), (std::vector<std::uint32_t>{40000, 0}));
  for (int i = 0; i < 1026; ++i) {
    times.version(kernel);
    times.add(kernel, cpu, bytes, 0.01e-3);
  }
  EXPECT_TRUE(times.machine_for(kernel).asks_all());
  time(gpu, 0.01e-3);
  EXPECT_EQ(speeds(), (std::vector<std::uint32_t>{400, 400}));
}

TEST_F(PartTime, SharesAreToldOnceAndRepeated) {
  EXPECT_FALSE(times.take_news(kernel));
  time(gpu, 1e-3);
  run_long();
  time(cpu, 7e-3);
  const auto news = times.take_news(kernel);
  ASSERT_TRUE(news);
  EXPECT_EQ(*news, (Shares{{1'750'000, 1'000'000}, false}));
  EXPECT_FALSE(times.take_news(kernel));
  PartTimes again{{"cpu", "cuda"}, machine, true};
  again.only_repeat();
  EXPECT_EQ(again.machine_for(kernel).speeds(), (std::vector<std::uint32_t>{0, 400}));
  again.repeat(kernel, {{1'000'000}, false});  // of other devices
  EXPECT_EQ(again.version(kernel), 0u);
  again.repeat(kernel, *news);
  EXPECT_EQ(again.machine_for(kernel).speeds(), times.machine_for(kernel).speeds());
  EXPECT_EQ(again.version(kernel), 1u);
  EXPECT_EQ(again.clock_for(kernel, gpu, device->queue(), bytes), nullptr);
  for (int i = 0; i < 5000; ++i) again.version(kernel);
  EXPECT_EQ(again.version(kernel), 1u);
}

TEST_F(PartTime, FirstPartsAreTimedAndFewLaterOnes) {
  int timed = 0;
  for (int i = 0; i < 640; ++i)
    timed += times.clock_for(kernel, gpu, device->queue(), bytes) != nullptr;
  EXPECT_EQ(timed, 3 + 9);
  EXPECT_EQ(times.clock_for(kernel, gpu, device->queue(), 0), nullptr);
}

TEST_F(PartTime, ClocksTellWhatPartsTook) {
  const auto clock = times.clock_for(kernel, gpu, device->queue(), bytes);
  ASSERT_NE(clock, nullptr);
  EXPECT_FALSE(clock->is_done());
  times.look();
  clock->begin();
  const auto begin = devices::now_nanoseconds();
  while (devices::now_nanoseconds() - begin < 2'000'000) {
  }
  clock->end();
  EXPECT_TRUE(clock->is_done());
  EXPECT_GE(clock->seconds(), 0.002);
}

/// A cut for a device that is asked is made although it is much slower; of one that is left out
/// there is none.
TEST_F(PartTime, SplitsFollow) {
  ModelledKernel wide("wide", 1, 1);
  wide.array(4, {set(SetKind::must_write, own_element, exact)});
  const std::int32_t wide_n = 32'000;
  const KernelCommand command =
      wide.command({1000, 1, 1}, {32, 1, 1}, {allocate(4 * wide_n)}, {wide_n});
  const BoundLaunch launch(command, buffers);
  const auto devices_of = [&](const Machine& as) {
    std::vector<std::vector<unsigned>> all;
    for (const LaunchPlan& way : split(launch, command.shape.grid, as, true)) {
      all.emplace_back();
      for (const PartPlan& part : way.parts) all.back().push_back(part.device);
    }
    return all;
  };
  using Ways = std::vector<std::vector<unsigned>>;
  EXPECT_EQ(devices_of(machine.slowed_down({0, 1}, false)), (Ways{{gpu}}));
  EXPECT_EQ(devices_of(machine.slowed_down({64, 1}, true)), (Ways{{cpu, gpu}}));
  EXPECT_EQ(devices_of(machine.slowed_down({64, 1}, false)), (Ways{{gpu}, {cpu, gpu}}));
  // Of too few blocks for all there is no way to ask.
  const KernelCommand few = wide.command({8, 1, 1}, {32, 1, 1}, {allocate(4 * 256)}, {256});
  const BoundLaunch narrow(few, buffers);
  const auto ways = split(narrow, few.shape.grid, machine.slowed_down({64, 1}, true), true);
  EXPECT_EQ(ways.front().parts.size(), 1u);
  EXPECT_EQ(ways.front().parts.front().device, gpu);
  const Machine home({400, 100});
  EXPECT_EQ(devices_of(home.slowed_down({1, 0}, false)), (Ways{{0}}));
  for (const LaunchPlan& way :
       split(launch, command.shape.grid, home.slowed_down({1, 0}, false), true))
    EXPECT_GT(way.parts.front().bytes, 0);  // so that it can be timed
}

/// What cannot be divided runs on the fastest device, whichever is home, asked or not.
TEST_F(PartTime, WhatStaysTogetherIsTheFastestDevices) {
  ModelledKernel reading("reading", 1, 1);
  reading.array(4, {set(SetKind::read, with_neighbours, exact),
                    set(SetKind::must_write, own_element, exact)});
  reading.model().obstacles = abi::obstacle_fence;
  const KernelCommand command = reading.command(grid, block, {allocate(4 * n)}, {n});
  for (const bool asks : {false, true}) {
    const auto plans = ways(command, machine.slowed_down({64, 1}, asks));
    ASSERT_EQ(plans.size(), 1u);
    ASSERT_EQ(plans.front().parts.size(), 1u);
    EXPECT_EQ(plans.front().parts.front().device, gpu);
  }
  const auto faster = ways(command, machine.slowed_down({0.1, 1}, false));
  EXPECT_EQ(faster.front().parts.front().device, cpu);
}

}  // namespace
}  // namespace gridspan::tests
