// Boxes in stages: every byte once, in room that is bounded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/staging.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace gridspan::devices::cuda {
namespace {

/// Takes the box through a buffer, stage by stage, and back. Returns how many stages.
std::size_t expect_arrives(const Extent& extent, std::size_t room, bool whole_rows) {
  SCOPED_TRACE(testing::Message() << extent.width << " x " << extent.height << " x " << extent.depth
                                  << ", room " << room << (whole_rows ? "" : ", row by row"));
  const std::size_t bytes = extent.width * extent.height * extent.depth;
  std::string from(bytes, 0), to(bytes, 0), buffer(room, 0);
  for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<char>(1 + i * 7 % 251);
  const auto dense = [&](std::string& memory) {
    return Pitched{memory.data(), extent.width, extent.width * extent.height};
  };
  Stages stages(extent, room, whole_rows);
  std::size_t count = 0;
  for (Stage stage = stages.next(); !stage.empty(); stage = stages.next(), ++count) {
    std::size_t used = 0;
    for (const StagedPiece& piece : stage) {
      EXPECT_EQ(piece.offset, used);
      EXPECT_TRUE(piece.rows == 1 || (whole_rows && piece.width == extent.width));
      EXPECT_LE(piece.row + piece.rows, extent.height);
      used += piece.width * piece.rows;
      if (used > room) {
        ADD_FAILURE() << "a stage of " << used << " bytes";
        return count;
      }
      const Pitched staged{buffer.data() + piece.offset, piece.width, 0};
      const Extent rows{piece.width, piece.rows, 1};
      copy_box(staged, {piece.place(dense(from)), extent.width, 0}, rows);
      copy_box({piece.place(dense(to)), extent.width, 0}, staged, rows);
    }
  }
  EXPECT_EQ(to, from);
  return count;
}

TEST(Staging, KeepsRowsTogether) {
  EXPECT_EQ(expect_arrives({10, 10, 1}, 1000, true), 1u);
  EXPECT_EQ(expect_arrives({10, 10, 1}, 100, true), 1u);
  EXPECT_EQ(expect_arrives({10, 10, 1}, 99, true), 2u);
  EXPECT_EQ(expect_arrives({10, 10, 1}, 10, true), 10u);
}

TEST(Staging, PacksSlices) {
  EXPECT_EQ(expect_arrives({4, 1, 100}, 40, true), 10u);
  EXPECT_EQ(expect_arrives({4, 3, 10}, 28, true), 5u);
}

TEST(Staging, CutsLongRows) {
  EXPECT_EQ(expect_arrives({100, 1, 1}, 30, true), 4u);
  EXPECT_EQ(expect_arrives({100, 3, 2}, 30, true), 20u);
}

TEST(Staging, TakesAnyBoxThroughAnyRoom) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    const Extent extent{random() % 40 + 1, random() % 9 + 1, random() % 5 + 1};
    expect_arrives(extent, random() % 100 + 1, random() % 2 == 0);
  }
}

}  // namespace
}  // namespace gridspan::devices::cuda
