// Boxes, views, regions and copies of boxes against plain arrays of bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "region_reference.h"

#include "runtime/regions/box_copies.h"
#include "runtime/regions/rebox.h"
#include "runtime/regions/region.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace gridspan::tests {

namespace {

using namespace runtime::regions;

using ByteSet = std::set<std::int64_t>;

/// Of disjoint boxes.
ByteSet bytes_of(const View& view, std::span<const Box> boxes) {
  ByteSet bytes;
  for (const Box& box : boxes) {
    for_each_byte(view, box, [&](std::int64_t byte) {
      EXPECT_TRUE(bytes.insert(byte).second) << "byte " << byte << " is in two boxes";
    });
  }
  return bytes;
}
ByteSet bytes_of(const View& view, const Box& box) { return bytes_of(view, std::span(&box, 1)); }

ByteSet interval(std::int64_t begin, std::int64_t end) {
  ByteSet bytes;
  for (std::int64_t i = begin; i < end; ++i) bytes.insert(bytes.end(), i);
  return bytes;
}

ByteSet minus(ByteSet a, const ByteSet& b) {
  std::erase_if(a, [&](std::int64_t byte) { return b.contains(byte); });
  return a;
}
ByteSet both(const ByteSet& a, const ByteSet& b) { return minus(a, minus(a, b)); }
ByteSet either(ByteSet a, const ByteSet& b) {
  a.insert(b.begin(), b.end());
  return a;
}

/// A view without padding, so that a box is the bytes it holds.
View random_grid(std::mt19937& random) {
  RandomArray array(random, 4);
  array.offset = 0;
  const std::int64_t row = std::accumulate(array.inner.begin(), array.inner.end(),
                                           array.element_bytes, std::multiplies<>());
  return array_view(row * between(random, 1, 9), array.shape());
}

Box inside(const View& view, const Box& box) { return box.intersection(view.whole()); }

TEST(Box, OperationsAgreeWithSetsOfBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const View view = random_grid(random);
    const Box a = inside(view, random_box(random, view)), b = random_box(random, view);
    const ByteSet in_a = bytes_of(view, a), in_b = bytes_of(view, b);
    EXPECT_EQ(a.is_empty(), in_a.empty());
    EXPECT_EQ(a.volume(), static_cast<std::int64_t>(in_a.size()));
    EXPECT_EQ(bytes_of(view, a.intersection(b)), both(in_a, in_b));
    EXPECT_EQ(a.meets(b), !both(in_a, in_b).empty());
    if (inside(view, b) == b) EXPECT_EQ(b.contains(a), minus(in_a, in_b).empty());
    std::vector<Box> rest;
    subtract(a, b, rest);
    EXPECT_EQ(bytes_of(view, rest), minus(in_a, in_b));
    EXPECT_TRUE(std::ranges::is_sorted(rest));
    EXPECT_LE(rest.size(), 2u * static_cast<unsigned>(view.rank));
    EXPECT_TRUE(std::ranges::none_of(rest, &Box::is_empty));
  }
}

TEST(Box, TwoAreJoinedWhereTogetherTheyAreOne) {
  std::mt19937 random(10);
  int joins = 0;
  for (int round = 0; round < 5000; ++round) {
    const View view = random_grid(random);
    const Box a = inside(view, random_box(random, view)),
              b = inside(view, random_box(random, view));
    if (a.is_empty() || b.is_empty()) continue;
    Box hull = a;
    for (int i = 0; i < hull.rank; ++i) {
      hull[i] = {std::min(a[i].begin, b[i].begin), std::max(a[i].end, b[i].end)};
    }
    const bool are_one = bytes_of(view, hull) == either(bytes_of(view, a), bytes_of(view, b));
    Box joined = a;
    ASSERT_EQ(join(joined, b), are_one);
    EXPECT_EQ(joined, are_one ? hull : a);
    joins += are_one;
  }
  EXPECT_GT(joins, 100);
}

TEST(View, HasTheRowsOfTheArray) {
  std::mt19937 random(2);
  for (int round = 0; round < 1000; ++round) {
    const std::int64_t bytes = between(random, 1, 300);
    const RandomArray array(random, 4);
    const View view = array_view(bytes, array.shape());
    ASSERT_EQ(view.rank, static_cast<int>(array.inner.size()) + 1);
    EXPECT_GE(view.phase, 0);
    EXPECT_LT(view.phase, view.pitch(0));
    EXPECT_GE(view.positions(), view.phase + bytes);
    EXPECT_LT(view.positions() - view.pitch(0), view.phase + bytes);
    // Element zero, if it were in the buffer, would be the first of a row.
    const auto first = indices_of(view, array.offset + view.phase + 1000 * view.pitch(0));
    for (int i = 1; i < view.rank; ++i) EXPECT_EQ(first[static_cast<std::size_t>(i)], 0);
    for (int i = 1; i < view.rank; ++i) {
      const std::int64_t unit = i + 1 == view.rank ? array.element_bytes : 1;
      EXPECT_EQ(view.extent(i), array.inner[static_cast<std::size_t>(i) - 1] * unit);
    }
    EXPECT_EQ(view, array_view(bytes, array.shape()));
  }
}

TEST(View, IsLinearWhereThereIsNoShape) {
  constexpr std::int64_t big = std::int64_t{1} << 40;
  const std::vector<std::int64_t> wrong[] = {{}, {0}, {-3}, {4, 0, 4}, {big, big}, {0, 1, 1, 1, 1}};
  for (const auto& inner : wrong) EXPECT_EQ(array_view(100, {8, 4, inner}), linear_view(100));
  const std::int64_t ten[] = {10};
  EXPECT_EQ(array_view(100, {8, 0, ten}), linear_view(100));
  EXPECT_NE(array_view(100, {8, 4, ten}), linear_view(100));
  // A row longer than the buffer is a row.
  const std::int64_t thousand[] = {1000};
  EXPECT_EQ(array_view(100, {0, 4, thousand}).extent(0), 1);
}

TEST(View, IntervalsOfBytesAreBoxes) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const View view = random_view(random, between(random, 1, 200));
    const std::int64_t begin = between(random, -5, view.bytes), end = between(random, begin, 220);
    std::vector<Box> boxes;
    append_bytes(view, begin, end, boxes);
    EXPECT_EQ(bytes_of(view, boxes),
              interval(std::max<std::int64_t>(begin, 0), std::min(end, view.bytes)));
    EXPECT_TRUE(std::ranges::is_sorted(boxes));
    EXPECT_LE(boxes.size(), 2u * static_cast<unsigned>(view.rank) - 1);
    for (const Box& box : boxes) EXPECT_FALSE(box.is_empty());
  }
}

TEST(View, BoxesOfSubscriptsAreTheBytesOfTheirElements) {
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    RandomArray array(random, 6);
    const View view = array_view(between(random, 1, 400), array.shape());
    std::vector<Range> ranges{{between(random, -2, 3), between(random, 3, 9)}};
    for (const std::int64_t extent : array.inner) {
      const std::int64_t begin = random() % 2 ? 0 : between(random, 0, extent);
      ranges.push_back({begin, random() % 2 ? extent : between(random, begin, extent)});
    }
    std::vector<Box> boxes;
    ASSERT_TRUE(append_subscripts(view, array.shape(), ranges, boxes));
    // Element by element.
    ByteSet expected;
    const auto add = [&](auto& self, std::size_t dimension, std::int64_t index) -> void {
      if (dimension == ranges.size()) {
        for (std::int64_t i = 0; i < array.element_bytes; ++i)
          expected.insert(array.offset + index * array.element_bytes + i);
        return;
      }
      if (dimension > 0) index *= array.inner[dimension - 1];
      for (std::int64_t i = ranges[dimension].begin; i < ranges[dimension].end; ++i)
        self(self, dimension + 1, index + i);
    };
    add(add, 0, 0);
    EXPECT_EQ(bytes_of(view, boxes), both(expected, interval(0, view.bytes)));
    if (ranges.size() <= max_rank) EXPECT_LE(boxes.size(), 1u);
  }
}

TEST(View, SubscriptsBeyondTheRowAreNoBox) {
  const std::int64_t inner[] = {10};
  const ArrayShape array{0, 4, inner};
  const View view = array_view(4000, array);
  std::vector<Box> boxes;
  for (const Range& columns : {Range{0, 11}, Range{-1, 3}, Range{10, 12}}) {
    const Range ranges[] = {{0, 2}, columns};
    EXPECT_FALSE(append_subscripts(view, array, ranges, boxes));
  }
  const Range fine[] = {{0, 2}, {0, 10}}, too_few[] = {{0, 2}};
  EXPECT_FALSE(append_subscripts(linear_view(4000), array, fine, boxes));
  EXPECT_FALSE(append_subscripts(view, array, too_few, boxes));
  EXPECT_TRUE(boxes.empty());
  EXPECT_TRUE(append_subscripts(view, array, fine, boxes));
}

TEST(View, ClippedBoxesHaveNoPadding) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const View view = random_view(random, between(random, 1, 200));
    const Box box = random_box(random, view);
    std::vector<Box> parts;
    append_clipped(view, box, parts);
    std::int64_t volume = 0;
    for (const Box& part : parts) volume += part.volume();
    EXPECT_EQ(bytes_of(view, parts), bytes_of(view, box));
    EXPECT_EQ(volume, static_cast<std::int64_t>(bytes_of(view, box).size()));
    EXPECT_TRUE(std::ranges::is_sorted(parts));
    if (!may_meet_padding(view, inside(view, box)) && !inside(view, box).is_empty())
      EXPECT_EQ(parts, std::vector<Box>{inside(view, box)});
  }
}

TEST(BoxCopies, RunsAndCopiesAreTheBytesOfTheBox) {
  std::mt19937 random(6);
  for (int round = 0; round < 2000; ++round) {
    const View view = random_view(random, between(random, 1, 250));
    const Box box = random_box(random, view);
    const ByteSet expected = bytes_of(view, box);

    std::vector<ByteRange> runs;
    append_runs(view, box, runs);
    ByteSet in_runs;
    std::int64_t end = -1;
    for (const ByteRange& run : runs) {
      EXPECT_FALSE(run.is_empty());
      EXPECT_GE(run.begin, end);
      end = run.end;
      in_runs.merge(interval(run.begin, run.end));
    }
    EXPECT_EQ(in_runs, expected);
    EXPECT_GE(run_count(view, box), static_cast<std::int64_t>(runs.size()));

    std::vector<BoxCopy> copies;
    append_copies(view, box, copies);
    std::vector<char> from(static_cast<std::size_t>(view.bytes), 1), to(from.size(), 0);
    for (const BoxCopy& copy : copies)
      runtime::copy_box(copy.at(to.data()), copy.at(from.data()), copy.extent);
    std::size_t copied = 0;
    for (const BoxCopy& copy : copies)
      copied += copy.extent.width * copy.extent.height * copy.extent.depth;
    EXPECT_EQ(copied, expected.size()) << "a byte is copied twice";
    for (std::size_t i = 0; i < to.size(); ++i)
      EXPECT_EQ(to[i] == 1, expected.contains(static_cast<std::int64_t>(i)));
    if (view.rank <= 3 && !may_meet_padding(view, inside(view, box))) EXPECT_LE(copies.size(), 1u);
  }
}

TEST(BoxCopies, WholeRowsAreOneRun) {
  const std::int64_t inner[] = {5, 6, 7};
  const View view = array_view(4 * 5 * 6 * 7, {0, 1, inner});
  Box box = view.whole();
  box[0] = {1, 3};
  std::vector<ByteRange> runs;
  append_runs(view, box, runs);
  EXPECT_EQ(runs, (std::vector<ByteRange>{{210, 630}}));
  // A column of an array of four dimensions takes one copy if some inner dimension is spanned.
  box[3] = {2, 4};
  std::vector<BoxCopy> copies;
  append_copies(view, box, copies);
  EXPECT_EQ(copies.size(), 1u);
  box[2] = {1, 4};
  append_copies(view, box, copies);
  EXPECT_EQ(copies.size(), 2u);
}

TEST(Rebox, KeepsTheBytes) {
  std::mt19937 random(9);
  for (int round = 0; round < 1000; ++round) {
    const std::int64_t bytes = between(random, 1, 250);
    const View from = random_view(random, bytes), to = random_view(random, bytes);
    std::vector<Box> boxes, reboxed;
    ByteSet expected;
    for (std::int64_t i = between(random, 0, 4); i > 0; --i) {
      boxes.push_back(random_box(random, from));
      expected = either(expected, bytes_of(from, boxes.back()));
    }
    ASSERT_TRUE(append_reboxed(from, boxes, to, {}, reboxed));
    EXPECT_EQ(bytes_of(to, reboxed), expected);
    EXPECT_TRUE(std::ranges::is_sorted(reboxed));
    const std::size_t count = reboxed.size();
    if (append_reboxed(from, boxes, to, {.boxes = 5}, reboxed)) {
      EXPECT_LE(count, 5u * static_cast<unsigned>(to.rank));
    } else {
      EXPECT_EQ(reboxed.size(), count);
    }
  }
}

TEST(Region, OperationsAgreeWithSetsOfBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const View view = random_grid(random);
    Region a, b;
    ByteSet in_a, in_b;
    for (int i = 0; i < 12; ++i) {
      const Box box = inside(view, random_box(random, view));
      Region& region = random() % 2 ? a : b;
      ByteSet& bytes = &region == &a ? in_a : in_b;
      if (random() % 3) {
        region.add(box);
        bytes = either(bytes, bytes_of(view, box));
      } else {
        region.subtract(box);
        bytes = minus(bytes, bytes_of(view, box));
      }
      EXPECT_EQ(region.contains(box), minus(bytes_of(view, box), bytes).empty());
      EXPECT_EQ(region.meets(box), !both(bytes_of(view, box), bytes).empty());
    }
    const auto is = [&](const Region& region, const ByteSet& bytes) {
      EXPECT_STREQ(region.check(), nullptr);
      EXPECT_EQ(bytes_of(view, region.boxes()), bytes);
      EXPECT_EQ(region.volume(), static_cast<std::int64_t>(bytes.size()));
      EXPECT_EQ(region.empty(), bytes.empty());
    };
    is(a, in_a);
    is(a.intersection(b), both(in_a, in_b));
    EXPECT_EQ(a.contains(b), minus(in_b, in_a).empty());
    EXPECT_EQ(a == b, in_a == in_b);
    Region sum = a, difference = a;
    sum.add(b);
    difference.subtract(b);
    is(sum, either(in_a, in_b));
    is(difference, minus(in_a, in_b));
  }
}

TEST(Region, EqualSetsCoalesceToEqualBoxes) {
  std::mt19937 random(8);
  for (int round = 0; round < 400; ++round) {
    const View view = random_grid(random);
    Region region;
    for (int i = 0; i < 5; ++i) region.add(inside(view, random_box(random, view)));
    // The same set again, byte by byte in any order.
    const ByteSet bytes = bytes_of(view, region.boxes());
    std::vector<std::int64_t> order(bytes.begin(), bytes.end());
    std::shuffle(order.begin(), order.end(), random);
    order.resize(std::min<std::size_t>(order.size(), 60));
    Region again;
    for (const std::int64_t byte : order) {
      std::vector<Box> boxes;
      append_bytes(view, byte, byte + 1, boxes);
      again.add_disjoint(boxes[0]);
    }
    again.add(region);
    region.coalesce();
    again.coalesce();
    EXPECT_STREQ(region.check(), nullptr);
    EXPECT_EQ(bytes_of(view, region.boxes()), bytes);
    EXPECT_TRUE(std::ranges::equal(region.boxes(), again.boxes()));
    EXPECT_TRUE(std::ranges::is_sorted(region.boxes()));
  }
}

TEST(Boxes, JoinedHoldTheSameBytes) {
  std::mt19937 random(23);
  for (int round = 0; round < 500; ++round) {
    const View view = random_grid(random);
    std::vector<Box> boxes;
    ByteSet bytes;
    for (std::int64_t i = between(random, 0, 12); i > 0; --i) {
      const Box box = inside(view, random_box(random, view));
      if (box.is_empty()) continue;
      boxes.push_back(box);
      bytes = either(bytes, bytes_of(view, box));
    }
    const std::size_t before = boxes.size();
    join_all(boxes);
    EXPECT_LE(boxes.size(), before);
    EXPECT_TRUE(std::ranges::is_sorted(boxes));
    ByteSet joined;
    for (const Box& box : boxes) joined = either(joined, bytes_of(view, box));
    EXPECT_EQ(joined, bytes);
  }
}

/// Blocks that each touch a piece of some rows, in whatever order, and with rows of overlap.
TEST(Boxes, PiecesOfABoxAreJoinedToIt) {
  std::mt19937 random(29);
  for (const std::int64_t overlap : {0, 1}) {
    std::vector<Box> boxes;
    for (std::int64_t plane = 0; plane < 3; ++plane) {
      for (std::int64_t row = 0; row < 40; row += 4) {
        for (std::int64_t byte = 0; byte < 512; byte += 64) {
          Box& box = boxes.emplace_back();
          box.rank = 3;
          box[0] = {plane, plane + 1}, box[1] = {row, row + 4 + overlap},
          box[2] = {byte, byte + 64};
        }
      }
    }
    std::ranges::shuffle(boxes, random);
    join_all(boxes);
    ASSERT_EQ(boxes.size(), 1u);
    EXPECT_EQ(boxes[0][0], (Range{0, 3}));
    EXPECT_EQ(boxes[0][1], (Range{0, 40 + overlap}));
    EXPECT_EQ(boxes[0][2], (Range{0, 512}));
  }
}

TEST(Region, CoalesceJoinsWhatIsOneBox) {
  Box box;
  box.rank = 3;
  box[0] = {2, 9}, box[1] = {1, 6}, box[2] = {0, 40};
  Box hole = box;
  hole[0] = {4, 6}, hole[1] = {2, 3}, hole[2] = {8, 16};
  Region region(box);
  region.subtract(hole);
  EXPECT_EQ(region.boxes().size(), 6u);
  region.add(hole);
  region.coalesce();
  ASSERT_EQ(region.boxes().size(), 1u);
  EXPECT_EQ(region.boxes()[0], box);
}

}  // namespace

}  // namespace gridspan::tests
