// Packed boxes hold what they should, and moves find it there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/packed_box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace gridspan::tests::plan_packed_box {

using namespace gridspan::runtime;
using regions::array_view;
using regions::Box;
using regions::View;

namespace {

using Random = std::mt19937;

std::int64_t between(Random& random, std::int64_t first, std::int64_t last) {
  return first + static_cast<std::int64_t>(random() % static_cast<unsigned>(last - first + 1));
}

View random_view(Random& random) {
  std::vector<std::int64_t> inner;
  for (auto rank = between(random, 1, 3); rank > 0; --rank) inner.push_back(between(random, 1, 40));
  return array_view(between(random, 100, 20'000), {.offset = 4 * between(random, 0, 50),
                                                   .element_bytes = between(random, 1, 4),
                                                   .inner = inner});
}

Box random_box(Random& random, const View& view) {
  Box box;
  box.rank = view.rank;
  for (int i = 0; i < view.rank; ++i) {
    const std::int64_t first = between(random, 0, view.extent(i) - 1);
    box[i] = {first, between(random, first + 1, view.extent(i))};
  }
  return box;
}

/// Where the clone of a kernel finds byte `offset` of the buffer.
std::int64_t in_box(const PackedBox& box, std::int64_t offset) {
  const std::int64_t position = offset + box.phase;
  return (position / box.row_bytes - box.first_row) * box.pitch + position % box.row_bytes -
         box.first_byte;
}

TEST(PackedBoxes, HaveEachByteWhereKernelsFindIt) {
  Random random(5);
  for (int turn = 0; turn < 3000; ++turn) {
    const View view = random_view(random);
    std::vector<Box> boxes;
    for (auto count = between(random, 1, 3); count > 0; --count)
      boxes.push_back(random_box(random, view));
    const auto box = packed_box(view, boxes, 1);
    if (!box) continue;
    ASSERT_LE(box->first_byte + box->width, box->row_bytes);
    ASSERT_LE(box->width, box->pitch);
    // -1: no move brings it.
    std::vector<std::int64_t> packed(box->bytes(), -1);
    std::vector<regions::BoxCopy> copies;
    for (const Box& one : boxes) append_copies(view, one, copies);
    std::vector<PackedMove> moves;
    for (const regions::BoxCopy& copy : copies) append_moves(*box, copy, moves);
    for (const PackedMove& move : moves) {
      for (std::size_t y = 0; y < move.height; ++y) {
        for (std::size_t x = 0; x < move.width; ++x)
          packed.at(move.in_box + y * move.box_pitch + x) =
              static_cast<std::int64_t>(move.in_buffer + y * move.buffer_pitch + x);
      }
    }
    for (const Box& one : boxes) {
      std::vector<regions::ByteRange> runs;
      append_runs(view, one, runs);
      for (const regions::ByteRange& run : runs) {
        for (std::int64_t byte = run.begin; byte < run.end; ++byte)
          ASSERT_EQ(packed.at(static_cast<std::size_t>(in_box(*box, byte))), byte);
      }
    }
  }
}

TEST(PackedBoxes, AreAsNarrowAsWhatIsTouched) {
  const View view = array_view(1'000'000, {.element_bytes = 4, .inner = std::vector{250l}});
  Box columns = view.whole();
  columns[1] = {200, 360};
  const auto box = packed_box(view, {{columns}}, 4);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->rows, 1000);
  EXPECT_EQ(box->first_byte, 192);
  EXPECT_EQ(box->width, 168);
  EXPECT_EQ(box->pitch, 256);
}

/// Of planes, rows and columns a column through all planes is short rows of planes.
TEST(PackedBoxes, ChooseTheRowsThatSaveMost) {
  const View view =
      array_view(4 * 50 * 40 * 1000, {.element_bytes = 4, .inner = std::vector{40l, 1000l}});
  Box through = view.whole();
  through[1] = {7, 8};
  const auto box = packed_box(view, {{through}}, 4);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->row_bytes, 4 * 40 * 1000);
  EXPECT_EQ(box->rows, 50);
  EXPECT_EQ(box->width, 4000 + 7 * 4000 % 16);
}

TEST(PackedBoxes, KeepAlignedAccessesInOneRow) {
  const View view =
      array_view(10'000, {.offset = 4, .element_bytes = 4, .inner = std::vector{25l}});
  const Box whole = view.whole();
  EXPECT_TRUE(packed_box(view, {{whole}}, 4));
  EXPECT_FALSE(packed_box(view, {{whole}}, 8));
  EXPECT_FALSE(packed_box(regions::linear_view(100), {{regions::byte_range(3, 8)}}, 1));
}

}  // namespace
}  // namespace gridspan::tests::plan_packed_box
