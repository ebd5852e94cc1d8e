// Devices that fail: the program learns of it, nothing hangs, nothing runs afterwards.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_bench.h"

#include <chrono>
#include <new>
#include <stdexcept>

namespace gridspan::tests::plan_faults {

using namespace gridspan::runtime;
using devices::Fault;

namespace {

constexpr std::int32_t n = 4099;
constexpr abi::Dim grid{33, 1, 1}, block{128, 1, 1};

/// What a device does wrong, and when.
struct Failing final : DeviceInFront {
  struct Plan {
    int reserves = 1 << 30;  // so many succeed
    int parts = 1 << 30;
    int copies = 1 << 30;  // and fills
    bool throws = false;   // a part that fails
    Fault fault = Fault::trap;
  };
  Failing(std::unique_ptr<devices::Device> behind, const Plan& plan_)
      : DeviceInFront(std::move(behind)), plan(plan_) {}

  void* reserve(std::size_t size) override {
    return plan.reserves-- > 0 ? DeviceInFront::reserve(size) : nullptr;
  }
  devices::RunResult run_part(const abi::Kernel& kernel,
                              const abi::LaunchContext& launch) override {
    if (plan.parts-- > 0) return DeviceInFront::run_part(kernel, launch);
    if (!plan.throws) return injected();
    if (plan.fault == Fault::out_of_memory) throw std::bad_alloc();
    throw std::runtime_error("injected");
  }
  devices::RunResult copy_all(std::span<const devices::BoxMove> moves) override {
    for (const devices::BoxMove& move : moves) {
      auto result = plan.copies-- > 0 ? DeviceInFront::copy_all({&move, 1}) : injected();
      if (result.fault != Fault::none) return result;
    }
    return {};
  }
  devices::RunResult fill(const devices::Pitched& to, const devices::Extent& extent,
                          unsigned char value) override {
    return plan.copies-- > 0 ? DeviceInFront::fill(to, extent, value) : injected();
  }
  devices::RunResult injected() const { return {plan.fault, "error: injected"}; }
  Plan plan;
};

std::atomic<int> ran{0};

void add_one(abi::ThreadContext* thread) {
  const auto i = static_cast<std::int32_t>(global_x(thread));
  if (i == 0) ++ran;
  if (i < argument<std::int32_t>(thread, 1)) ++argument<int*>(thread, 0)[i];
}

class Faults : public testing::TestWithParam<unsigned> {
 protected:
  static constexpr unsigned devices = 4;

  Faults() {
    kernel
        .array(4, {set(SetKind::read, own_element, exact),
                   set(SetKind::must_write, own_element, exact)})
        .runs<add_one>();
  }
  PlanBench make(const Failing::Plan& plan) {
    return PlanBench(devices,
                     {.wrap = [&plan](unsigned number, std::unique_ptr<devices::Device> device)
                          -> std::unique_ptr<devices::Device> {
                       if (number != GetParam()) return device;
                       return std::make_unique<Failing>(std::move(device), plan);
                     }});
  }
  /// Everything a program may go on to do ends, and changes nothing.
  void expect_end(PlanBench& bench, Fault fault, int* a) {
    bench.finish();
    EXPECT_EQ(bench.many.fault(), fault);
    const int before = ran;
    std::vector<int> host(n, -1);
    for (int turn = 0; turn < 2000; ++turn) {  // more than queues hold
      bench.launch(kernel.command(grid, block, {a}, {n}));
      bench.fill(a, 0, 4 * n);
      bench.copy(host.data(), a, 4 * n);
    }
    auto event = std::make_shared<EventRecord>();
    RecordCommand record{event};
    bench.many.run(record);
    bench.finish();
    EXPECT_EQ(host, std::vector<int>(n, -1));  // nothing wrong was given out
    EXPECT_EQ(ran, before);
    EXPECT_EQ(bench.many.fault(), fault);
  }
  ModelledKernel kernel{"add", 1, 1};
};
INSTANTIATE_TEST_SUITE_P(OnDevice, Faults, testing::Range(0u, 4u));

TEST_P(Faults, NoRoomForACopy) {
  if (GetParam() == 0) GTEST_SKIP() << "home needs no copy";
  for (const int first : {0, 1}) {
    PlanBench bench = make({.reserves = first});
    int* const a = bench.allocate<int>(n);
    int* const b = bench.allocate<int>(n);
    bench.fill(a, 0, 4 * n), bench.fill(b, 0, 4 * n);
    bench.launch(kernel.command(grid, block, {a}, {n}));
    bench.finish();
    EXPECT_EQ(bench.many.fault(), first == 0 ? Fault::out_of_memory : Fault::none);
    bench.launch(kernel.command(grid, block, {b}, {n}));
    expect_end(bench, Fault::out_of_memory, a);
  }
}

TEST_P(Faults, NoRoomWhenTheHostSends) {
  if (GetParam() == 0) GTEST_SKIP() << "home needs no copy";
  PlanBench bench = make({.reserves = 0});
  constexpr std::size_t large = 1 << 20;  // distributed at once
  int* const a = bench.allocate<int>(large);
  const std::vector<int> host(large, 3);
  bench.copy(a, host.data(), 4 * large);
  expect_end(bench, Fault::out_of_memory, a);
}

TEST_P(Faults, NoRoomWhenBuffersAreFilled) {
  if (GetParam() == 0) GTEST_SKIP() << "home needs no copy";
  PlanBench bench = make({.reserves = 0});
  int* const a = bench.allocate<int>(1 << 20);
  bench.fill(a, 1, 4 << 20);
  expect_end(bench, Fault::out_of_memory, a);
}

TEST_P(Faults, NoRoomForTheTargetOfACopy) {
  if (GetParam() == 0) GTEST_SKIP() << "home needs no copy";
  PlanBench bench = make({.reserves = 1});
  int* const a = bench.allocate<int>(n);
  int* const b = bench.allocate<int>(n);
  bench.launch(kernel.command(grid, block, {a}, {n}));  // spreads it
  bench.copy(b, a, 4 * n);
  expect_end(bench, Fault::out_of_memory, a);
}

TEST_P(Faults, APartFails) {
  for (const Fault fault : {Fault::trap, Fault::illegal_address, Fault::assertion}) {
    PlanBench bench = make({.parts = 5, .fault = fault});
    int* const a = bench.allocate<int>(n);
    bench.fill(a, 0, 4 * n);
    for (int turn = 0; turn < 100; ++turn) bench.launch(kernel.command(grid, block, {a}, {n}));
    expect_end(bench, fault, a);
  }
}

TEST_P(Faults, TheThreadOfADeviceGivesUp) {
  for (const Fault fault : {Fault::trap, Fault::out_of_memory}) {
    PlanBench bench = make({.parts = 2, .throws = true, .fault = fault});
    int* const a = bench.allocate<int>(n);
    bench.fill(a, 0, 4 * n);
    for (int turn = 0; turn < 20; ++turn) {
      bench.launch(kernel.command(grid, block, {a}, {n}));
      bench.launch(kernel.command({9, 1, 1}, {512, 1, 1}, {a}, {n}));  // others wait for its data
    }
    expect_end(bench, fault, a);
  }
}

TEST_P(Faults, ACopyFromTheHostFails) {
  PlanBench bench = make({.copies = 1});
  constexpr std::size_t large = 1 << 20;  // distributed at once
  int* const a = bench.allocate<int>(large);
  const std::vector<int> host(large, 3);
  bench.copy(a, host.data(), 4 * large);
  bench.copy(a, host.data(), 4 * large);
  expect_end(bench, Fault::trap, a);
}

TEST_P(Faults, ACopyToTheHostFails) {
  PlanBench bench = make({.copies = 0});
  int* const a = bench.allocate<int>(n);
  bench.launch(kernel.command(grid, block, {a}, {n}));  // spreads it
  std::vector<int> host(n, -1);
  bench.copy(host.data(), a, 4 * n);
  expect_end(bench, Fault::trap, a);
}

TEST_P(Faults, AFillFails) {
  PlanBench bench = make({.copies = 0});
  int* const a = bench.allocate<int>(1 << 20);
  bench.fill(a, 1, 4 << 20);
  expect_end(bench, Fault::trap, a);
}

TEST_P(Faults, ACopyBetweenDevicesFails) {
  PlanBench bench = make({.copies = 0});
  int* const a = bench.allocate<int>(n);
  bench.launch(kernel.command(grid, block, {a}, {n}));
  // Other borders, nearer to the front: each device lacks something, the first one afterwards.
  bench.launch(kernel.command({5, 1, 1}, {832, 1, 1}, {a}, {n}));
  bench.launch(kernel.command(grid, block, {a}, {n}));
  expect_end(bench, Fault::trap, a);
}

TEST_P(Faults, TheFirstFaultStays) {
  PlanBench bench = make({.parts = 0, .fault = Fault::assertion});
  int* const a = bench.allocate<int>(n);
  bench.launch(kernel.command(grid, block, {a}, {n}));
  bench.finish();
  EXPECT_EQ(bench.many.fault(), Fault::assertion);
  bench.launch(kernel.command(grid, block, {a}, {n}));
  expect_end(bench, Fault::assertion, a);
}

/// A device that is slow holds up nobody who does not need it, and all who do.
TEST_P(Faults, ASlowDeviceChangesNoResult) {
  struct Slow final : DeviceInFront {
    using DeviceInFront::DeviceInFront;
    devices::RunResult run_part(const abi::Kernel& slow_kernel,
                                const abi::LaunchContext& launch) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return DeviceInFront::run_part(slow_kernel, launch);
    }
  };
  PlanBench bench(devices, {.wrap = [](unsigned number, std::unique_ptr<devices::Device> device)
                                -> std::unique_ptr<devices::Device> {
                    if (number != GetParam()) return device;
                    return std::make_unique<Slow>(std::move(device));
                  }});
  int* const a = bench.allocate<int>(n);
  bench.fill(a, 0, 4 * n);
  for (int turn = 0; turn < 10; ++turn) {
    bench.launch(kernel.command(grid, block, {a}, {n}));
    bench.launch(kernel.command({9, 1, 1}, {512, 1, 1}, {a}, {n}));  // other borders
  }
  EXPECT_EQ(bench.read(a, n), std::vector<int>(n, 20));
}

}  // namespace

}  // namespace gridspan::tests::plan_faults
