// Cutting grids, and where new data goes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_fixture.h"
#include "runtime/plan/cut.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/placement.h"

#include <random>

namespace gridspan::tests {

using namespace gridspan::runtime;
using regions::byte_range;

namespace {

std::uint32_t first_of(const BlockBox& box, unsigned axis) {
  return axis == 0 ? box.first.x : axis == 1 ? box.first.y : box.first.z;
}

/// What must hold for every cut.
void check_cut(abi::Dim grid, unsigned axis, std::uint32_t granularity,
               const std::vector<std::uint32_t>& speeds) {
  SCOPED_TRACE(testing::Message() << "grid " << grid.x << "," << grid.y << "," << grid.z << " axis "
                                  << axis << " granularity " << granularity << " devices "
                                  << speeds.size());
  const std::vector<CutPart> parts = cut(grid, axis, granularity, speeds);
  const std::uint64_t unit = std::max<std::uint64_t>(granularity, 1);
  const std::uint64_t blocks = extent(grid, axis);
  std::uint64_t all = 0;
  for (const std::uint32_t speed : speeds) all += speed;
  std::uint64_t next = 0;
  unsigned device = 0;
  for (const CutPart& part : parts) {
    EXPECT_EQ(first_of(part.blocks, axis), next);  // one after the other, without gaps
    EXPECT_EQ(next % unit, 0u);
    const std::uint64_t count = extent(part.blocks.count, axis);
    EXPECT_GT(count, 0u);
    EXPECT_TRUE(next == 0 || part.device > device);
    EXPECT_LT(part.device, speeds.size());
    // Near its share: both ends are rounded, and the last unit may not be full.
    const double share =
        static_cast<double>(blocks) * speeds[part.device] / static_cast<double>(all);
    EXPECT_LE(std::abs(static_cast<double>(count) - share), static_cast<double>(unit) * 2);
    for (unsigned other = 0; other < 3; ++other) {
      if (other == axis) continue;
      EXPECT_EQ(first_of(part.blocks, other), 0u);
      EXPECT_EQ(extent(part.blocks.count, other), extent(grid, other));
    }
    device = part.device;
    next += count;
  }
  EXPECT_EQ(next, blocks);  // all of them
}

TEST(Cut, EveryBlockIsInOnePart) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 2000; ++turn) {
    const abi::Dim grid{static_cast<std::uint32_t>(random() % 100 + 1),
                        static_cast<std::uint32_t>(random() % 100 + 1),
                        static_cast<std::uint32_t>(random() % 100 + 1)};
    std::vector<std::uint32_t> speeds(random() % 9 + 1);
    for (auto& speed : speeds) speed = static_cast<std::uint32_t>(random() % 16 + 1);
    check_cut(grid, static_cast<unsigned>(random() % 3), static_cast<std::uint32_t>(random() % 6),
              speeds);
  }
}

TEST(Cut, TheLargestGrids) {
  check_cut({2147483647, 1, 1}, 0, 1, {1, 1, 1});
  check_cut({2147483647, 1, 1}, 0, 1, std::vector<std::uint32_t>(64, 4096));
  check_cut({2147483647, 65535, 65535}, 0, 7, {3, 1000, 2});
  check_cut({1, 65535, 65535}, 2, 1, {1, 1, 1, 1, 1, 1, 1});
}

TEST(Cut, EqualDevicesDifferByOneUnit) {
  for (std::uint32_t blocks = 1; blocks < 50; ++blocks) {
    for (std::size_t devices = 1; devices < 9; ++devices) {
      const auto parts = cut({blocks, 1, 1}, 0, 1, std::vector<std::uint32_t>(devices, 2));
      EXPECT_EQ(parts.size(), std::min<std::size_t>(blocks, devices));
      std::uint32_t least = blocks, most = 0;
      for (const CutPart& part : parts) {
        least = std::min(least, part.blocks.count.x);
        most = std::max(most, part.blocks.count.x);
      }
      EXPECT_LE(most - least, 1u);
    }
  }
}

TEST(Cut, UnitsLargerThanTheGridStayTogether) {
  const auto parts = cut({10, 3, 1}, 0, 100, std::vector<std::uint32_t>{1, 1, 1});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].blocks.count.x, 10u);
}

TEST(Cut, FasterDevicesGetMore) {
  const auto parts = cut({100, 1, 1}, 0, 1, std::vector<std::uint32_t>{1, 3});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].blocks.count.x, 25u);
  EXPECT_EQ(parts[1].blocks.count.x, 75u);
}

class Placement : public testing::Test {
 protected:
  static constexpr std::size_t size = 1 << 20, devices = 3;
  VirtualBuffer buffer{{0x100000, size, MemoryKind::device, 0}, devices, DeviceSet{}};

  std::vector<DeviceSet> placed(const std::vector<std::uint32_t>& speeds = {1, 1, 1}) const {
    const auto places = placement(buffer, speeds);
    EXPECT_EQ(places.check(), nullptr);
    std::vector<DeviceSet> bytes(size);
    places.query(places.view().whole(), [&](const regions::Box& piece, DeviceSet set) {
      for (auto at = piece[0].begin; at < piece[0].end; ++at) bytes[std::size_t(at)] = set;
    });
    return bytes;
  }
};

TEST_F(Placement, WithoutAPatternStretchesOfEqualSize) {
  std::vector<std::size_t> bytes(devices);
  DeviceSet before = DeviceSet::only(0);
  for (const DeviceSet set : placed()) {
    ASSERT_TRUE(set == before || set.first() == before.first() + 1);
    before = set;
    ++bytes[set.first()];
    ASSERT_EQ(set, DeviceSet::only(set.first()));  // one device has each byte
  }
  for (const std::size_t share : bytes) EXPECT_NEAR(double(share), double(size) / devices, 8192);
}

TEST_F(Placement, WithoutAPatternStretchesAsPartsAre) {
  std::vector<std::size_t> bytes(devices);
  for (const DeviceSet set : placed({1, 0, 3})) ++bytes[set.first()];
  EXPECT_EQ(bytes, (std::vector<std::size_t>{size / 4, 0, size / 4 * 3}));
}

TEST_F(Placement, SmallBuffersGoHome) {
  const VirtualBuffer small({0x100000, 1000, MemoryKind::device, 0}, devices, DeviceSet{});
  const auto places = placement(small, std::vector<std::uint32_t>(devices, 1));
  EXPECT_EQ(places.box_count(), 1u);
  EXPECT_EQ(places.at(999), DeviceSet::only(0));
}

TEST_F(Placement, FollowsThePattern) {
  LaunchPlan plan;
  const auto add_part = [&](unsigned device, std::int64_t begin, std::int64_t end) {
    plan.parts.push_back({device, {}, {}, {}});
    plan.parts.back().use_of(&buffer, buffer.view()).reads.push_back(byte_range(begin, end));
  };
  add_part(1, 100, 5000);
  add_part(2, 4990, 9000);
  buffer.pattern = std::make_shared<const LaunchPlan>(plan);
  const std::vector<DeviceSet> bytes = placed();
  EXPECT_EQ(bytes[99], DeviceSet::only(0));
  EXPECT_EQ(bytes[100], DeviceSet::only(1));
  EXPECT_EQ(bytes[4989], DeviceSet::only(1));
  EXPECT_EQ(bytes[4990], DeviceSet::only(1).with(2));  // both want it
  EXPECT_EQ(bytes[4999], DeviceSet::only(1).with(2));
  EXPECT_EQ(bytes[5000], DeviceSet::only(2));
  EXPECT_EQ(bytes[8999], DeviceSet::only(2));
  EXPECT_EQ(bytes[9000], DeviceSet::only(0));
  EXPECT_EQ(bytes[size - 1], DeviceSet::only(devices - 1));  // the rest as without a pattern
}

}  // namespace

}  // namespace gridspan::tests
