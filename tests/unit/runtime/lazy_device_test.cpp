// Devices that are made when they are needed: once, by whoever needs them first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/lazy_device.h"

#include "fake_device.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

namespace gridspan::tests {
namespace {

using devices::LazyDevice;

devices::DeviceFacts facts_of_seven() {
  devices::DeviceFacts facts;
  facts.name = "a device";
  facts.workers = 7;
  return facts;
}

struct LazyDeviceTest : testing::Test {
  std::atomic<int> made{0};
  std::promise<void> goes_on;
  std::shared_future<void> may_go_on = goes_on.get_future().share();
  devices::DeviceId id_of_made{};
  LazyDevice lazy{
      facts_of_seven(),
      [this](devices::DeviceId id) -> support::Result<std::unique_ptr<devices::Device>> {
        id_of_made = id;
        may_go_on.wait();
        ++made;
        return std::make_unique<FakeDevice>();
      }};
};

TEST_F(LazyDeviceTest, WhatItIsIsKnownWithoutIt) {
  EXPECT_EQ(lazy.facts().name, "a device");
  EXPECT_EQ(lazy.facts().workers, 7u);
  lazy.id();
  EXPECT_FALSE(lazy.is_there());
  EXPECT_EQ(made, 0);
}

TEST_F(LazyDeviceTest, AnyNumberOfThreadsMakeItOnce) {
  std::vector<std::jthread> threads;
  std::atomic<int> got{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      if (i % 2 == 0) lazy.expect();
      if (i % 3 == 0) EXPECT_EQ(lazy.lack(), "");
      lazy.queue();
      got += lazy.host_memory() == nullptr;
    });
  goes_on.set_value();
  threads.clear();
  EXPECT_EQ(got, 8);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(id_of_made, lazy.id());
  EXPECT_TRUE(devices::is_there(lazy));
}

TEST_F(LazyDeviceTest, WhoExpectsItGoesOn) {
  lazy.expect();
  lazy.expect();
  EXPECT_FALSE(lazy.is_there());
  goes_on.set_value();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!lazy.is_there() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_TRUE(lazy.is_there());
  EXPECT_EQ(made, 1);
}

TEST_F(LazyDeviceTest, TheEndWaitsForItIfItBegan) {
  lazy.expect();
  std::jthread later([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    goes_on.set_value();
  });
  lazy.settle();
  const bool was_made = lazy.is_there();
  later.join();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(lazy.is_there(), was_made);
}

TEST(LazyDevice, TheReasonIsKept) {
  int asked = 0;
  LazyDevice lazy(devices::DeviceFacts{}, [&](auto) {
    ++asked;
    return support::fail("GRIDSPAN_DEVICES: cuda:1: it is in use");
  });
  lazy.expect();
  EXPECT_EQ(lazy.lack(), "GRIDSPAN_DEVICES: cuda:1: it is in use");
  EXPECT_EQ(lazy.lack(), "GRIDSPAN_DEVICES: cuda:1: it is in use");
  EXPECT_EQ(asked, 1);
  EXPECT_FALSE(lazy.is_there());
  EXPECT_EXIT(lazy.memory(), testing::ExitedWithCode(1),
              "gridspan: error: GRIDSPAN_DEVICES: cuda:1: it is in use");
}

TEST(LazyDevices, AreAmongOthers) {
  std::vector<std::unique_ptr<devices::Device>> all;
  all.push_back(std::make_unique<FakeDevice>());
  for (const char* why : {"", "no power"})
    all.push_back(std::make_unique<LazyDevice>(
        devices::DeviceFacts{}, [why](auto) -> support::Result<std::unique_ptr<devices::Device>> {
          if (*why) return support::fail(why);
          return std::make_unique<FakeDevice>();
        }));
  devices::LazyDevices lazy(all);
  EXPECT_TRUE(devices::is_there(*all[0]));
  EXPECT_FALSE(devices::is_there(*all[1]));
  EXPECT_EQ(lazy.lack(), "no power");
  EXPECT_TRUE(devices::is_there(*all[1]));
  EXPECT_FALSE(devices::is_there(*all[2]));
}

}  // namespace
}  // namespace gridspan::tests
