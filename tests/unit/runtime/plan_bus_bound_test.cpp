// Who is told that a kernel is as slow as its copies, and when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/bus_bound.h"

#include <gtest/gtest.h>

namespace gridspan::tests::plan_bus_bound {

using namespace gridspan::runtime;

namespace {

struct BusBoundTest : testing::Test {
  BusBoundTest() { kernel.name = "kernel", other.name = "other"; }

  /// A launch that moves so many bytes, and evicts some of them.
  std::string launch(const abi::Kernel& of, std::uint64_t moved, double seconds,
                     bool is_crowded = true) {
    bus.begin();
    traffic.between.add(moved);
    if (is_crowded) traffic.evicted.add(moved / 2);
    return bus.end(of, [&] { return ++asked, seconds; });
  }

  Traffic traffic;
  BusBound bus{traffic, 25e9};
  abi::Kernel kernel{}, other{};
  int asked = 0;
};

TEST_F(BusBoundTest, SaysSoOnceForEachKernel) {
  EXPECT_EQ(launch(kernel, 9'000'000'000, 1e-3), "");  // the first one brings all
  EXPECT_EQ(launch(kernel, 5'300'000'000, 25e-3),
            "'kernel' is bound by the bus: 5.3 GB a step: 212 ms of copies, about 25 ms of work");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(launch(kernel, 5'300'000'000, 25e-3), "");
  EXPECT_EQ(launch(other, 25'000'000, 0), "");
  EXPECT_EQ(launch(other, 25'000'000, 0),
            "'other' is bound by the bus: 25.0 MB a step: 1 ms of copies, about 0 ms of work");
  bus.forget();
  EXPECT_EQ(launch(kernel, 2'500, 0), "");
  EXPECT_NE(launch(kernel, 2'500, 0).find("2.5 KB a step"), std::string::npos);
}

TEST_F(BusBoundTest, OnlyOfWhatDoesNotFit) {
  for (int i = 0; i < 20; ++i) EXPECT_EQ(launch(kernel, 5'300'000'000, 0, false), "");
  EXPECT_EQ(asked, 0);
}

TEST_F(BusBoundTest, NotWhereTheKernelTakesLonger) {
  for (int i = 0; i < 16; ++i) EXPECT_EQ(launch(kernel, 2'500'000'000, 0.2), "");
  EXPECT_EQ(asked, 4);  // at the 2nd, 4th, 8th and 16th
  for (int i = 0; i < 15; ++i) EXPECT_EQ(launch(kernel, 2'500'000'000, 0.05), "");
  EXPECT_NE(launch(kernel, 2'500'000'000, 0.05), "");
}

TEST_F(BusBoundTest, RoundsCount) {
  for (int i = 0; i < 2; ++i) {
    bus.begin();
    traffic.between.add(25'000'000);
    traffic.in_rounds.add(1);
    EXPECT_EQ(bus.end(kernel, [] { return 0.0; }).empty(), i == 0);
  }
}

}  // namespace
}  // namespace gridspan::tests::plan_bus_bound
