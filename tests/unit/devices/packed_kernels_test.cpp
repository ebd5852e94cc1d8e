// Clones of kernels for packed boxes, run on the CPU: they do to boxes what the kernels do to
// arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/packed_places.h"
#include "devices/cuda/ptx.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

using gridspan::devices::PackedArray;
using gridspan::devices::cuda::moved;
using gridspan::devices::cuda::PackedPlace;
using gridspan::devices::cuda::PartOfGrid;
using gridspan::devices::cuda::place_of;

template <std::size_t count>
struct Places {
  PackedPlace places[count];
};

// packed_kernels.ll; the clones are what gridspan-lower makes of it.
extern "C" {
void visit(std::int32_t* a, const std::int32_t* from, std::int32_t* b, std::int64_t count,
           const std::int32_t* to);
void visit_packed(std::int32_t* a, const std::int32_t* from, std::int32_t* b, std::int64_t count,
                  const std::int32_t* to, PartOfGrid part, Places<4> places) asm("visit$packed");
void walk(std::int32_t* a, std::int64_t start, std::int64_t step, std::int64_t count);
void walk_packed(std::int32_t* a, std::int64_t start, std::int64_t step, std::int64_t count,
                 PartOfGrid part, Places<1> places) asm("walk$packed");
}

namespace {

using Random = std::mt19937_64;

std::int64_t below(Random& random, std::int64_t end) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
}

/// An array of rows, and a box of it.
struct Matrix {
  explicit Matrix(Random& random)
      : columns(2 + below(random, 60)),
        rows(1 + below(random, 40)),
        first_row(below(random, rows)),
        box_rows(1 + below(random, rows - first_row)),
        first_column(below(random, columns)),
        box_columns(1 + below(random, columns - first_column)),
        pitch(box_columns + below(random, 9)),
        all(static_cast<std::size_t>(rows * columns)),
        box(static_cast<std::size_t>(box_rows * pitch), -7) {
    for (auto& value : all) value = static_cast<std::int32_t>(below(random, 1000));
    pack();
  }

  std::int32_t& packed(std::int64_t y, std::int64_t x) {
    return box[static_cast<std::size_t>(y * pitch + x)];
  }
  std::int32_t& original(std::int64_t y, std::int64_t x) {
    return all[static_cast<std::size_t>((first_row + y) * columns + first_column + x)];
  }
  template <class Action>
  void for_each(Action action) {
    for (std::int64_t y = 0; y < box_rows; ++y)
      for (std::int64_t x = 0; x < box_columns; ++x) action(y, x);
  }
  void pack() {
    for_each([this](std::int64_t y, std::int64_t x) { packed(y, x) = original(y, x); });
  }
  /// Nothing but the box's elements changed, as they did in the array.
  bool agrees() {
    bool same = true;
    for_each([&](std::int64_t y, std::int64_t x) { same &= packed(y, x) == original(y, x); });
    for (std::int64_t y = 0; y < box_rows; ++y)
      for (std::int64_t x = box_columns; x < pitch; ++x) same &= packed(y, x) == -7;
    return same;
  }

  /// Kernels are told of another array than the one that is there.
  std::int32_t* address() const { return reinterpret_cast<std::int32_t*>(0x7000'1000'0040); }
  PackedPlace place() {
    const auto bytes = [](std::int64_t elements) { return static_cast<std::size_t>(4 * elements); };
    return place_of({.parameter = 0,
                     .origin = reinterpret_cast<char*>(address()),
                     .row_bytes = bytes(columns),
                     .first_row = static_cast<std::size_t>(first_row),
                     .rows = static_cast<std::size_t>(box_rows),
                     .first_byte = bytes(first_column),
                     .width = bytes(box_columns),
                     .memory = reinterpret_cast<char*>(box.data()),
                     .pitch = bytes(pitch)});
  }
  std::int64_t any_place(Random& random) const {
    return (first_row + below(random, box_rows)) * columns + first_column +
           below(random, box_columns);
  }

  std::int64_t columns, rows, first_row, box_rows, first_column, box_columns, pitch;
  std::vector<std::int32_t> all, box;
};

TEST(PackedKernels, FindAnyElementOfAnyBox) {
  Random random(11);
  for (int turn = 0; turn < 2000; ++turn) {
    Matrix a(random), b(random);
    std::vector<std::int32_t> from, to;
    for (int i = 0; i < 50; ++i) {
      from.push_back(static_cast<std::int32_t>(a.any_place(random)));
      to.push_back(static_cast<std::int32_t>(b.any_place(random)));
    }
    visit(a.all.data(), from.data(), b.all.data(), 50, to.data());
    // Two of the four pointers are boxes, the others are what they were.
    visit_packed(a.address(), from.data(), b.address(), 50, to.data(), {},
                 {{a.place(), {}, b.place(), {}}});
    ASSERT_TRUE(a.agrees() && b.agrees()) << "turn " << turn;
  }
}

TEST(PackedKernels, AreTheKernelWithoutBoxes) {
  Random random(12);
  Matrix a(random), b(random);
  auto a_all = a.all, b_all = b.all;
  const std::vector<std::int32_t> from = {0, 1, 0, 1}, to = {1, 1, 0, 0};
  visit(a.all.data(), from.data(), b.all.data(), 4, to.data());
  visit_packed(a_all.data(), from.data(), b_all.data(), 4, to.data(), {}, {});
  EXPECT_EQ(a.all, a_all);
  EXPECT_EQ(b.all, b_all);
}

TEST(PackedKernels, FollowPointersFromRowToRow) {
  Random random(13);
  int walks = 0;
  while (walks < 500) {
    Matrix a(random);
    const std::int64_t start = a.any_place(random), step = below(random, 150) - 75;
    const auto is_inside = [&](std::int64_t place) {
      const std::int64_t y = place / a.columns - a.first_row,
                         x = place % a.columns - a.first_column;
      return place >= 0 && y >= 0 && y < a.box_rows && x >= 0 && x < a.box_columns;
    };
    std::int64_t count = 0;
    while (count < 30 && is_inside(start + count * step)) ++count;
    if (count < 2) continue;
    ++walks;
    walk(a.all.data(), start, step, count);
    walk_packed(a.address(), start, step, count, {}, {{a.place()}});
    ASSERT_TRUE(a.agrees()) << "start " << start << ", step " << step;
  }
}

/// Where large numbers make the product that divides come close to the next row.
TEST(PackedPlaces, AreExactAtTheEndsOfRows) {
  Random random(14);
  std::vector<std::uint64_t> lengths = {2, 3, 4, 5, 7, 8, 4096, 400'000, 1ull << 31, 1ull << 46};
  for (const std::uint64_t length : {4095ull, 65537ull, (1ull << 40) - 1, (1ull << 40) + 1})
    lengths.push_back(length);
  for (int i = 0; i < 1000; ++i) lengths.push_back(2 + random() % (1ull << (2 + i % 45)));
  for (const std::uint64_t length : lengths) {
    const std::uint64_t most = ((1ull << 62) - 1) / length;
    for (const std::uint64_t row : {std::uint64_t{0}, std::uint64_t{1}, most / 3, most}) {
      constexpr std::uint64_t origin = 0x1234'5600, memory = 0x7f00'0000'0000, pitch = 256;
      const PackedPlace place = place_of({.parameter = 0,
                                          .origin = reinterpret_cast<char*>(origin),
                                          .row_bytes = length,
                                          .first_row = row,
                                          .rows = 1,
                                          .first_byte = 0,
                                          .width = length,
                                          .memory = reinterpret_cast<char*>(memory),
                                          .pitch = pitch});
      EXPECT_EQ(moved(place, origin + row * length), memory);
      EXPECT_EQ(moved(place, origin + row * length + length - 1), memory + length - 1);
      if (row > 0) EXPECT_EQ(moved(place, origin + row * length - 1), memory - pitch + length - 1);
    }
  }
}

}  // namespace
