// Code for parts of grids is loaded beside the program, by devices that wait for a word.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/parts_ahead.h"

#include "fake_device.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <mutex>
#include <string>
#include <thread>

namespace gridspan::tests {

using namespace gridspan::runtime;

namespace {

using Answer = PartsAhead::Answer;

/// Loads code for parts when it may; asked for whole grids it has it.
struct SlowCode final : devices::RunsEveryKernel {
  explicit SlowCode(std::vector<std::string>& log, std::string name)
      : log(log), name(std::move(name)) {}
  std::string refusal(const abi::Kernel& kernel, bool whole) override {
    const std::scoped_lock lock(mutex);
    if (!whole) may_load.wait();
    log.push_back(name + (whole ? " whole " : " parts ") + kernel.name);
    return whole ? "" : why;
  }
  std::vector<std::string>& log;
  const std::string name;
  std::string why;
  std::mutex mutex;
  std::promise<void> loads;
  std::shared_future<void> may_load = loads.get_future().share();
};

struct SlowDevice final : FakeDevice {
  explicit SlowDevice(SlowCode& code) : slow(code) {}
  devices::DeviceCode& code() override { return slow; }
  SlowCode& slow;
};

struct PartsAheadTest : testing::Test {
  std::vector<std::string> log;
  SlowCode home{log, "home"}, other{log, "other"};
  SlowDevice home_device{home}, other_device{other};
  devices::LazyDevices none{{}};
  PartsAhead ahead{{&home_device, &other_device}, none};
  abi::Module module{}, second_module{};
  abi::Kernel kernel{}, sibling{}, second{};

  PartsAheadTest() {
    kernel.name = "kernel";
    sibling.name = "sibling";
    second.name = "second";
    kernel.module = sibling.module = &module;
    second.module = &second_module;
  }
  void let_load() {
    home.loads.set_value();
    other.loads.set_value();
  }
  Answer wait_for(const abi::Kernel& one) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (ahead.ask(one) == Answer::is_loading && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return ahead.ask(one);
  }
};

TEST_F(PartsAheadTest, NobodyWaits) {
  EXPECT_TRUE(ahead.is_idle());
  EXPECT_EQ(ahead.ask(kernel), Answer::is_loading);
  EXPECT_EQ(ahead.ask(sibling), Answer::is_loading);
  EXPECT_FALSE(ahead.is_idle());
  let_load();
  EXPECT_EQ(wait_for(kernel), Answer::is_ready);
  EXPECT_TRUE(ahead.is_idle());
  EXPECT_EQ(ahead.ask(sibling), Answer::is_ready);  // of the same module
}

/// The program's own launch comes first, and its device is the last to load more.
TEST_F(PartsAheadTest, TheHomeDeviceIsDisturbedLeast) {
  let_load();
  EXPECT_EQ(wait_for(kernel), Answer::is_ready);
  const std::vector<std::string> loaded(log.begin(), log.begin() + 3);
  EXPECT_EQ(loaded, (std::vector<std::string>{"home whole kernel", "other parts kernel",
                                              "home parts kernel"}));
}

TEST_F(PartsAheadTest, OneModuleAfterTheOther) {
  ahead.ask(kernel);
  ahead.ask(second);
  let_load();
  EXPECT_EQ(wait_for(second), Answer::is_ready);
  EXPECT_TRUE(ahead.is_idle());
  EXPECT_EQ(wait_for(kernel), Answer::is_ready);
}

TEST_F(PartsAheadTest, ARefusalStays) {
  other.why = "no code";
  let_load();
  EXPECT_EQ(wait_for(kernel), Answer::is_refused);
  other.why.clear();
  EXPECT_EQ(ahead.ask(kernel), Answer::is_refused);
  ahead.forget();
  EXPECT_EQ(wait_for(kernel), Answer::is_ready);
}

/// Nobody asks the device for its code: that would end the process.
TEST_F(PartsAheadTest, ADeviceThatCannotBeMadeRefusesAll) {
  int made = 0;
  std::vector<std::unique_ptr<devices::Device>> devices;
  devices.push_back(std::make_unique<devices::LazyDevice>(devices::DeviceFacts{}, [&](auto) {
    ++made;
    return support::fail("it is in use");
  }));
  devices::LazyDevices lazy(devices);
  PartsAhead without{{&home_device, devices.front().get()}, lazy};
  let_load();
  for (const abi::Kernel* one : {&kernel, &second}) {
    while (without.ask(*one) == Answer::is_loading)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(without.ask(*one), Answer::is_refused);
  }
  EXPECT_EQ(made, 1);
}

TEST_F(PartsAheadTest, TheEndWaitsForOneLoadOnly) {
  ahead.ask(kernel);
  std::thread later([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    let_load();
  });
  ahead.stop();
  later.join();
  const std::size_t loaded = log.size();
  EXPECT_LE(loaded, 2u);
  EXPECT_EQ(ahead.ask(kernel), Answer::is_loading);
  EXPECT_EQ(ahead.ask(second), Answer::is_loading);
  EXPECT_EQ(log.size(), loaded);
}

}  // namespace
}  // namespace gridspan::tests
