// Which threads each device of a setting gets, on machines of one, two and four nodes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/machine/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace gridspan::test::placement {
namespace {

using namespace devices::machine;

const Topology two_cores{{{0, {0, 1}}}};
const Topology two_nodes{{{0, {0, 1, 2, 3}}, {1, {4, 5, 6, 7}}}};
const Topology uneven{{{0, {0, 2}}, {2, {1, 3, 5}}, {3, {7}}}};

/// "0 1 | 2 3": the seats of each device.
std::string places(const char* setting, const Topology& topology, unsigned threads = 0) {
  std::string text;
  for (const Place& place : place_devices(*support::parse_devices(setting), topology, threads)) {
    if (!text.empty()) text += " |";
    for (const unsigned cpu : place.seats) text += (text.empty() ? "" : " ") + std::to_string(cpu);
  }
  return text;
}

TEST(Placement, OneDeviceHasEverything) {
  EXPECT_EQ(places("cpu", two_cores), "0 1");
  EXPECT_EQ(places("cpu:1", uneven), "0 2 1 3 5 7");
  EXPECT_EQ(places("numa", two_cores), "0 1");
}

TEST(Placement, DevicesShareThreadsEvenlyInOrder) {
  EXPECT_EQ(places("cpu:2", two_cores), "0 | 1");
  EXPECT_EQ(places("cpu:2", two_nodes), "0 1 2 3 | 4 5 6 7");
  EXPECT_EQ(places("cpu:3", two_nodes), "0 1 2 | 3 4 5 | 6 7");
  EXPECT_EQ(places("cpu+cpu:2", two_nodes), "0 1 2 | 3 4 5 | 6 7");
  EXPECT_EQ(places("cpu:4", uneven), "0 2 | 1 3 | 5 | 7");
}

TEST(Placement, TooFewThreadsAreShared) {
  EXPECT_EQ(places("cpu:7", two_cores), "0 | 1 | 0 | 1 | 0 | 1 | 0");
  EXPECT_EQ(places("cpu:3", two_cores), "0 | 1 | 0");
}

TEST(Placement, ANumberOfThreadsIsAlwaysGiven) {
  EXPECT_EQ(places("cpu:2x3", two_nodes), "0 1 2 | 3 4 5");
  EXPECT_EQ(places("cpu:2x2", two_cores), "0 1 | 0 1");
  EXPECT_EQ(places("cpu:3x1", two_cores), "0 | 1 | 0");
  EXPECT_EQ(places("cpu:1x5", two_cores), "0 1 0 1 0");
}

TEST(Placement, OneDeviceOfEachNode) {
  EXPECT_EQ(places("numa", two_nodes), "0 1 2 3 | 4 5 6 7");
  EXPECT_EQ(places("numa", uneven), "0 2 | 1 3 5 | 7");
  EXPECT_EQ(places("numa+numa", two_nodes), "0 1 | 4 5 | 2 3 | 6 7");
}

TEST(Placement, TermsOfDifferentKindsDivideWhatIsThere) {
  EXPECT_EQ(places("cpu:2x3+cpu", two_nodes), "0 1 2 | 3 4 5 | 6 7");
  EXPECT_EQ(places("cpu+cpu:2x3", two_nodes), "6 7 | 0 1 2 | 3 4 5");
  EXPECT_EQ(places("cpu:1x3+numa", two_nodes), "0 1 2 | 3 | 4 5 6 7");
  EXPECT_EQ(places("cpu:1x4+numa", two_nodes), "0 1 2 3 | 0 | 4 5 6 7");
  EXPECT_EQ(places("cpu+numa", two_nodes), "0 | 0 1 2 3 | 4 5 6 7");
}

TEST(Placement, TheTotalCanBeLimited) {
  EXPECT_EQ(places("cpu:2", two_nodes, 4), "0 1 | 4 5");
  EXPECT_EQ(places("cpu:2", two_nodes, 3), "0 1 | 4");
  EXPECT_EQ(places("numa", two_nodes, 4), "0 1 | 4 5");
  EXPECT_EQ(places("numa", two_nodes, 1), "0 | 4");
  EXPECT_EQ(places("cpu", uneven, 4), "0 2 1 7");
  EXPECT_EQ(places("cpu:2x3", two_nodes, 4), "0 1 4 | 5 0 1");
  EXPECT_EQ(places("cpu:4", two_cores, 1), "0 | 0 | 0 | 0");
}

TEST(Placement, MoreThreadsThanTheMachineHasStayWithTheirDevice) {
  EXPECT_EQ(places("cpu:2", two_cores, 5), "0 0 0 | 1 1");
  EXPECT_EQ(places("cpu", two_cores, 3), "0 0 1");
  EXPECT_EQ(places("numa", two_nodes, 16), "0 0 1 1 2 2 3 3 | 4 4 5 5 6 6 7 7");
}

/// Whatever the setting: every device has a thread, counts that were asked for are met, and no
/// thread stands idle while devices that share have two on another.
TEST(Placement, HoldsItsPromisesForManySettings) {
  for (const Topology* topology : {&two_cores, &two_nodes, &uneven}) {
    for (unsigned devices = 1; devices <= 20; ++devices) {
      for (unsigned threads = 0; threads <= 20; ++threads) {
        const auto all = place_devices(*support::parse_devices("cpu:" + std::to_string(devices)),
                                       *topology, threads);
        ASSERT_EQ(all.size(), devices);
        std::size_t most = 0, least = 1000, sum = 0;
        for (const Place& place : all) {
          most = std::max(most, place.seats.size());
          least = std::min(least, place.seats.size());
          sum += place.seats.size();
        }
        const std::size_t seats = threads != 0 ? threads : topology->cpu_count();
        EXPECT_GE(least, 1u);
        EXPECT_LE(most, least + 1);
        EXPECT_EQ(sum, std::max<std::size_t>(seats, devices));
      }
    }
  }
}

}  // namespace
}  // namespace gridspan::test::placement
