// Devices of different speeds, links that were measured: who is nearest, what is moved, who works.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/machine.h"

#include "plan_bench.h"
#include "plan_split_fixture.h"
#include "runtime/plan/plan_cost.h"

#include <gtest/gtest.h>

#include <numeric>

namespace gridspan::tests::plan_machine {

using namespace gridspan::runtime;
using namespace planning;
using devices::Link;
using devices::Measured;

namespace {

DeviceSet set_of(std::initializer_list<unsigned> devices) {
  DeviceSet set;
  for (const unsigned device : devices) set = set.with(device);
  return set;
}

/// Links of 1 GB/s and 10 us between devices of these memories (GB/s).
Measured machine(std::initializer_list<double> memory) {
  Measured made;
  for (const double rate : memory) made.memory.push_back(rate * 1e9);
  made.links.assign(memory.size(), std::vector<Link>(memory.size(), Link{1e-5, 1e9}));
  return made;
}

TEST(Machine, NearestByIndexWhereNothingIsKnown) {
  const Machine machine(std::vector<std::uint32_t>(8, 1));
  EXPECT_EQ(machine.nearest(set_of({0, 5}), 1, 100), 0u);
  EXPECT_EQ(machine.nearest(set_of({0, 5}), 4, 100), 5u);
  EXPECT_EQ(machine.nearest(set_of({0, 4}), 2, 100), 0u);  // as near
  EXPECT_EQ(machine.moving(0, 7), 1);
  EXPECT_EQ(machine.moving(set_of({1, 2}), 7, 100), 1);
}

TEST(Machine, NearestByLink) {
  Measured measured = machine({100, 100, 100, 100});
  measured.links[0][3] = {1e-5, 1e10};
  measured.links[1][3] = {1e-7, 1e9};
  const Machine machine(measured);
  EXPECT_EQ(machine.nearest(set_of({0, 1, 2}), 3, 1e6), 0u);  // the broad one
  EXPECT_EQ(machine.nearest(set_of({0, 1, 2}), 3, 1), 1u);    // the quick one
  EXPECT_EQ(machine.nearest(set_of({0, 1, 2}), 1, 1e6), 1u);  // has it
  EXPECT_EQ(machine.moving(0, 3), 10);                        // bytes of the fastest memory
  EXPECT_EQ(machine.moving(2, 3), 100);
  EXPECT_EQ(machine.moving(set_of({0, 2}), 3, 1e6), 10);
  EXPECT_EQ(machine.moving(2, 2), 1);
}

TEST(Machine, LinksThatAreAboutAlikeAreTakenByIndex) {
  Measured measured = machine({100, 100, 100});
  measured.links[0][2].bytes_per_second = 1.1e9;
  EXPECT_EQ(Machine(measured).nearest(set_of({0, 1}), 2, 1e7), 1u);
  measured.links[0][2].bytes_per_second = 1.3e9;
  EXPECT_EQ(Machine(measured).nearest(set_of({0, 1}), 2, 1e7), 0u);
}

TEST(Machine, SpeedsInProportionToMemories) {
  const Machine three(machine({4000, 2000, 100}));
  EXPECT_EQ(three.speeds(), (std::vector<std::uint32_t>{4000000, 2000000, 100000}));
  EXPECT_EQ(three.working(0), 1);
  EXPECT_EQ(three.working(1), 2);
  EXPECT_EQ(three.working(2), 40);
  EXPECT_EQ(three.speeds_of_fast(), (std::vector<std::uint32_t>{4000000, 2000000, 0}));
  EXPECT_TRUE(Machine({8, 1}).speeds_of_fast().empty());
  EXPECT_EQ(Machine({2, 17}).speeds_of_fast(), (std::vector<std::uint32_t>{0, 17}));
}

void increase(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i < argument<std::int32_t>(thread, 2))
    argument<int*>(thread, 1)[i] = argument<const int*>(thread, 0)[i] + 1;
}

class Uneven : public PlanTest {
 protected:
  Uneven() {
    kernel_.array(4, {set(SetKind::read, own_element, exact)})
        .array(4, {set(SetKind::must_write, own_element, exact)})
        .runs<increase>();
  }
  KernelCommand command(const void* to, const void* from) {
    return kernel_.command(grid, block, {from, to}, {n});
  }
  KernelCommand command() { return command(allocate(4 * n), allocate(4 * n)); }

 private:
  ModelledKernel kernel_{"increase", 2, 1};
};

TEST_F(Uneven, MuchSlowerDevicesAreLeftOutOfTheFirstWays) {
  const KernelCommand launch = command();
  const auto devices_of = [](const LaunchPlan& plan) {
    std::vector<unsigned> devices;
    for (const PartPlan& part : plan.parts) devices.push_back(part.device);
    return devices;
  };
  std::vector<LaunchPlan> plans = ways(launch, Machine({50, 50, 10}));
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_EQ(devices_of(plans[0]), (std::vector{0u, 1u, 2u}));
  plans = ways(launch, Machine({50, 50, 5}));
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(devices_of(plans[0]), (std::vector{0u, 1u}));
  EXPECT_EQ(devices_of(plans[1]), (std::vector{0u, 1u, 2u}));
  plans = ways(launch, Machine({5, 50}));
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(devices_of(plans[0]), (std::vector{1u}));
  EXPECT_EQ(plans[0].rung, Rung::exact);
  EXPECT_EQ(devices_of(plans[1]), (std::vector{0u, 1u}));
  // A share below half a block is none.
  plans = ways(launch, Machine({1, 500}));
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_EQ(devices_of(plans[0]), (std::vector{1u}));
}

TEST_F(Uneven, WorkCountsByTheSpeedOfWhoDoesIt) {
  const KernelCommand launch = command();
  const std::vector<LaunchPlan> plans = ways(launch, Machine({11, 1}));
  ASSERT_EQ(plans.size(), 2u);
  // 12 blocks of 256 bytes, or 11 and one that takes 11 times as long.
  EXPECT_EQ(plans[0].work, 12 * 256);
  EXPECT_EQ(plans[1].work, 11 * 256);
  EXPECT_EQ(idle_bytes(plans[0], plans), 0);
}

TEST_F(Uneven, MuchSlowerDevicesDoNothingWhereThatCosts) {
  std::vector<int> numbers(n), more(n);
  std::iota(numbers.begin(), numbers.end(), 7);
  std::iota(more.begin(), more.end(), 7 + 10);
  for (const bool weighs : {true, false}) {
    PlanBench bench(3, {.policy = {.weighs_work = weighs}, .measured = machine({40, 40, 4})});
    int *a = bench.allocate<int>(n), *b = bench.allocate<int>(n);
    bench.copy(a, numbers.data(), 4 * n);
    for (int turn = 0; turn < 10; ++turn, std::swap(a, b)) bench.launch(command(b, a));
    bench.finish();
    EXPECT_EQ(bench.many.traffic().parts.get(), weighs ? 20u : 30u);
    EXPECT_EQ(bench.read(a, n), more);
  }
}

TEST_F(Uneven, NewDataIsNotPutOnMuchSlowerDevices) {
  const std::vector<char> bytes(1 << 20, 'x');
  for (const bool weighs : {true, false}) {
    PlanBench bench(3, {.policy = {.weighs_work = weighs}, .measured = machine({40, 40, 4})});
    char* const a = bench.allocate<char>(bytes.size());
    bench.copy(a, bytes.data(), bytes.size());
    EXPECT_EQ(bench.read(a, bytes.size()), bytes);
    EXPECT_EQ(bench.many.traffic().from_host.copies.get(), weighs ? 2u : 3u);
  }
}

}  // namespace

}  // namespace gridspan::tests::plan_machine
