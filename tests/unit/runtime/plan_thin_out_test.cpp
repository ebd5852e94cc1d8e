// What is forgotten and moved so that region maps stay small.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/thin_out.h"

#include "region_reference.h"

#include <gtest/gtest.h>

namespace gridspan::tests::thin {

using namespace gridspan::runtime;
using regions::Box;
using Holders = regions::RegionMap<DeviceSet>;

namespace {

constexpr DeviceSet zero = DeviceSet::only(0), one = DeviceSet::only(1), both = zero.with(1);

Box rows(std::int64_t top, std::int64_t bottom, std::int64_t left, std::int64_t right) {
  Box box;
  box.rank = 2;
  box[0] = {top, bottom};
  box[1] = {left, right};
  return box;
}

/// `side` rows of as many bytes.
Holders square(std::int64_t side) {
  const std::int64_t inner[] = {side};
  return {regions::array_view(side * side, {0, 1, inner}), zero};
}

void move(Holders& holders, const std::vector<Stray>& strays) {
  for (const auto& [device, boxes] : strays)
    for (const Box& box : boxes) holders.assign(box, DeviceSet::only(device));
}

TEST(ThinOut, RowsThatOthersReadBecomeTheirWritersAgain) {
  constexpr std::int64_t side = 2048;
  Holders holders = square(side);
  for (std::int64_t row = 0; row < side / 2; ++row)
    holders.assign(rows(row, row + 1, row, side), both);
  holders.assign(rows(side / 2, side, 0, side), one);
  ASSERT_GT(holders.box_count(), 1000u);
  EXPECT_TRUE(thin_out(holders).strays.empty());
  EXPECT_EQ(holders.box_count(), 2u);
  EXPECT_EQ(holders.at(0), zero);
  EXPECT_EQ(holders.at(side * side - 1), one);
}

TEST(ThinOut, StairsAreMoved) {
  constexpr std::int64_t side = 2048;
  Holders holders = square(side);
  holders.assign(rows(side / 2, side, 0, side), one);
  for (std::int64_t step = 0; step < 100; ++step)
    holders.assign(rows(side / 2 + step, side / 2 + step + 1, step, side), zero);
  ASSERT_GT(holders.box_count(), 190u);
  const std::vector<Stray> strays = thin_out(holders).strays;
  ASSERT_EQ(strays.size(), 1u);
  EXPECT_EQ(strays.front().device, 0u);
  EXPECT_EQ(strays.front().boxes.size(), 99u);
  move(holders, strays);
  EXPECT_EQ(holders.box_count(), 2u);
  EXPECT_EQ(holders.at((side / 2 + 100) * side), one);
}

TEST(ThinOut, LargeCopiesStay) {
  constexpr std::int64_t side = 8192;
  Holders holders = square(side);
  holders.assign(rows(100, 200, 0, side), both);
  for (std::int64_t row = 300; row < 400; row += 2)
    holders.assign(rows(row, row + 1, 0, side), one);
  move(holders, thin_out(holders).strays);
  EXPECT_EQ(holders.at(150 * side), both);
  EXPECT_EQ(holders.box_count(), 3u);
}

/// Two devices that take turns with rows: half of all would move.
TEST(ThinOut, MuchIsNotMoved) {
  constexpr std::int64_t side = 8192;
  Holders holders = square(side);
  for (std::int64_t row = 0; row < side; row += 2) holders.assign(rows(row, row + 1, 0, side), one);
  const Holders before = holders;
  EXPECT_TRUE(thin_out(holders).strays.empty());
  EXPECT_TRUE(holders == before);
}

TEST(ThinOut, NoByteLosesItsLastHolder) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const std::int64_t bytes = between(random, 1, 3000);
    Holders holders(random_view(random, bytes), DeviceSet());
    for (int i = 0; i < 12; ++i) {
      DeviceSet set;
      for (unsigned device = 0; device < 3; ++device)
        if (random() % 2 != 0) set = set.with(device);
      holders.assign(random_box(random, holders.view()), set);
    }
    const Holders before = holders;
    const std::vector<Stray> strays = thin_out(holders).strays;
    ASSERT_EQ(holders.check(), nullptr);
    for (std::int64_t byte = 0; byte < bytes; ++byte) {
      const DeviceSet was = before.at(byte), is = holders.at(byte);
      ASSERT_EQ(was.is_empty(), is.is_empty());
      ASSERT_EQ(is.intersection(was), is);
    }
    std::int64_t moved = 0;
    for (const Stray& stray : strays)
      for (const Box& box : stray.boxes) moved += box.volume();
    EXPECT_LE(moved, bytes / 8);
  }
}

/// Of rows that two devices read, those of which copies were forgotten come again, or others.
TEST(ThinOut, WhatIsWantedAgainIsNoticed) {
  constexpr std::int64_t side = 2048;
  Holders holders = square(side);
  for (std::int64_t row = 0; row < 100; row += 2) holders.assign(rows(row, row + 1, 0, side), both);
  ForgottenBoxes forgotten;
  EXPECT_FALSE(forgotten.are_wanted());
  forgotten.note(thin_out(holders).forgotten);
  EXPECT_FALSE(forgotten.are_wanted());
  for (std::int64_t row = 1; row < 100; row += 2)
    forgotten.note_lacking(rows(row, row + 1, 0, side));
  for (std::int64_t row = 100; row < side; ++row)
    forgotten.note_lacking(rows(row, row + 1, 0, side));
  EXPECT_FALSE(forgotten.are_wanted());
  for (std::int64_t row = 0; row < 48; row += 2)
    forgotten.note_lacking(rows(row, row + 1, 0, side));
  EXPECT_FALSE(forgotten.are_wanted());
  forgotten.note_lacking(rows(0, 100, side / 2, side));
  EXPECT_TRUE(forgotten.are_wanted());
  forgotten.clear();
  EXPECT_FALSE(forgotten.are_wanted());
}

}  // namespace
}  // namespace gridspan::tests::thin
