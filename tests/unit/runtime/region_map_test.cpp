// Region maps against plain arrays of bytes: what they say, that equal states have equal boxes, and
// that these are as few as nesting allows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "region_reference.h"

#include "runtime/regions/region_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace gridspan::tests {

namespace {

using namespace runtime::regions;

using Map = RegionMap<int>;
using Bytes = std::vector<int>;

Bytes bytes_of(const Map& map) {
  Bytes bytes;
  for (std::int64_t i = 0; i < map.view().bytes; ++i) bytes.push_back(map.at(i));
  return bytes;
}

/// A map and the same as bytes; every change is made to both.
struct Pair {
  Pair(const View& view, int value)
      : map(view, value), bytes(static_cast<std::size_t>(view.bytes), value) {}

  void assign(const Box& box, int value) {
    map.assign(box, value);
    for_each_byte(map.view(), box, [&](std::int64_t byte) { at(byte) = value; });
  }
  void update(const Box& box, int factor) {
    const auto change = [&](int value) { return (value * factor + 1) % 3; };
    map.update(box, change);
    for_each_byte(map.view(), box, [&](std::int64_t byte) { at(byte) = change(at(byte)); });
  }
  void change_randomly(std::mt19937& random) {
    const Box box = random_box(random, map.view());
    if (random() % 2)
      assign(box, static_cast<int>(random() % 3));
    else
      update(box, static_cast<int>(random() % 3));
  }

  int& at(std::int64_t byte) { return bytes[static_cast<std::size_t>(byte)]; }

  Map map;
  Bytes bytes;
};

/// All positions of a view; padding is like the byte nearest to it.
Bytes with_padding(const View& view, const Bytes& bytes) {
  Bytes positions;
  for (std::int64_t i = 0; i < view.positions(); ++i) {
    const std::int64_t byte = std::clamp<std::int64_t>(i - view.phase, 0, view.bytes - 1);
    positions.push_back(bytes[static_cast<std::size_t>(byte)]);
  }
  return positions;
}

/// The boxes of nested slabs that hold positions [begin, end), counted by comparing each index of a
/// dimension with the one before.
std::size_t nested_boxes(const View& view, const Bytes& positions, int dimension,
                         std::int64_t begin, std::int64_t end) {
  const auto at = [&](std::int64_t position) { return positions.begin() + position; };
  if (std::all_of(at(begin), at(end), [&](int value) { return value == *at(begin); })) return 1;
  const std::int64_t pitch = view.pitch(dimension);
  std::size_t count = 0;
  for (std::int64_t i = begin; i < end; i += pitch) {
    if (i > begin && std::equal(at(i), at(i + pitch), at(i - pitch))) continue;
    count += nested_boxes(view, positions, dimension + 1, i, i + pitch);
  }
  return count;
}

void expect_like(const Map& map, const Bytes& bytes) {
  ASSERT_STREQ(map.check(), nullptr);
  ASSERT_EQ(bytes_of(map), bytes);
  const View& view = map.view();
  ASSERT_EQ(map.box_count(), nested_boxes(view, with_padding(view, bytes), 0, 0, view.positions()));
}

void expect_pieces(const Map& map, const Bytes& bytes, const Box& box) {
  Box last;
  last.rank = 0;
  std::vector<int> seen(bytes.size());
  map.query(box, [&](const Box& piece, int value) {
    EXPECT_FALSE(piece.is_empty());
    EXPECT_TRUE(last < piece) << "pieces are out of order";
    last = piece;
    std::int64_t volume = 0;
    for (std::int64_t i = 0; i < map.view().bytes; ++i) {
      if (!holds_byte(map.view(), piece, i)) continue;
      ++volume;
      ++seen[static_cast<std::size_t>(i)];
      EXPECT_EQ(bytes[static_cast<std::size_t>(i)], value);
    }
    EXPECT_EQ(volume, piece.volume()) << "a piece has padding";
  });
  for (std::int64_t i = 0; i < map.view().bytes; ++i)
    EXPECT_EQ(seen[static_cast<std::size_t>(i)], holds_byte(map.view(), box, i));
}

TEST(RegionMap, AgreesWithAnArrayOfBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    Pair pair(random_view(random, between(random, 1, 200)), 1);
    for (int i = 0; i < 30; ++i) {
      pair.change_randomly(random);
      expect_like(pair.map, pair.bytes);
      expect_pieces(pair.map, pair.bytes, random_box(random, pair.map.view()));
      if (HasFailure()) return;
    }
    expect_pieces(pair.map, pair.bytes, pair.map.view().whole());
  }
}

TEST(RegionMap, EqualPartitionsAreEqualHoweverTheyCameAbout) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    Pair pair(random_view(random, between(random, 1, 150)), 0);
    for (int i = 0; i < 12; ++i) pair.change_randomly(random);
    // Byte by byte, in any order, over anything.
    Map other(pair.map.view(), 7);
    std::vector<std::int64_t> order(pair.bytes.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    for (const std::int64_t byte : order) {
      EXPECT_FALSE(other == pair.map);
      std::vector<Box> boxes;
      append_bytes(other.view(), byte, byte + 1, boxes);
      ASSERT_EQ(boxes.size(), 1u);
      other.assign(boxes[0], pair.bytes[static_cast<std::size_t>(byte)]);
    }
    EXPECT_TRUE(other == pair.map);
    EXPECT_EQ(other.hash(), pair.map.hash());
    EXPECT_EQ(other.box_count(), pair.map.box_count());
    other.update(other.view().whole(), [](int value) { return value + 1; });
    EXPECT_FALSE(other == pair.map);
    EXPECT_NE(other.hash(), pair.map.hash());
  }
}

TEST(RegionMap, ReshapeKeepsEveryByte) {
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    const std::int64_t bytes = between(random, 1, 200);
    Pair pair(random_view(random, bytes), 0);
    for (int i = 0; i < 8; ++i) pair.change_randomly(random);
    const Map before = pair.map;
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(pair.map.reshape(random_view(random, bytes)));
      expect_like(pair.map, pair.bytes);
      pair.change_randomly(random);
      expect_like(pair.map, pair.bytes);
      if (HasFailure()) return;
    }
    Map copy = before;
    ASSERT_TRUE(copy.reshape(pair.map.view()));
    ASSERT_TRUE(copy.reshape(before.view()));
    EXPECT_TRUE(copy == before);
    EXPECT_EQ(copy.hash(), before.hash());
  }
}

TEST(RegionMap, CopiesAreIndependent) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<Pair> pairs{Pair(random_view(random, between(random, 1, 120)), 0)};
    for (int i = 0; i < 40; ++i) {
      pairs[random() % pairs.size()].change_randomly(random);
      if (pairs.size() < 6) pairs.push_back(pairs[random() % pairs.size()]);
    }
    for (const Pair& pair : pairs) expect_like(pair.map, pair.bytes);
  }
}

TEST(RegionMap, ManyBoxesInEveryDimension) {
  std::mt19937 random(5);
  const std::int64_t inner[][3] = {{}, {1}, {3000}, {61, 1}, {50, 61}, {3, 11, 97}};
  const std::size_t inner_count[] = {0, 1, 1, 2, 2, 3};
  for (int shape = 0; shape < 6; ++shape) {
    SCOPED_TRACE(testing::Message() << "shape " << shape);
    const View view = array_view(9001, {5, 1, std::span(inner[shape]).first(inner_count[shape])});
    Pair pair(view, 0);
    for (int value = 1; value < 4; ++value) {
      for (std::int64_t byte = 0; byte < view.bytes; byte += between(random, 1, 4)) {
        Box box;
        box.rank = view.rank;
        std::int64_t position = byte + view.phase;
        for (int i = 0; i < view.rank; ++i) {
          box[i] = {position / view.pitch(i), position / view.pitch(i) + between(random, 1, 2)};
          position %= view.pitch(i);
        }
        pair.assign(box, value);
      }
      expect_like(pair.map, pair.bytes);
    }
    EXPECT_GT(pair.map.box_count(), 2000u);
    pair.assign(view.whole(), 5);
    EXPECT_EQ(pair.map.box_count(), 1u);
    EXPECT_TRUE(pair.map == Map(view, 5));
    EXPECT_EQ(pair.map.hash(), Map(view, 5).hash());
  }
}

TEST(RegionMap, TellsWhenItHasTooManyBoxes) {
  std::mt19937 random(6);
  const std::int64_t inner[] = {10};
  const View view = array_view(1000, {0, 1, inner});
  Map map(view, 0, {.boxes = 40});
  bool was_over = false;
  for (int i = 0; i < 200; ++i) {
    const bool fits = random() % 2 ? map.assign(random_box(random, view), i)
                                   : map.update(random_box(random, view), [](int v) { return -v; });
    EXPECT_EQ(fits, map.box_count() <= 40);
    was_over |= !fits;
  }
  EXPECT_TRUE(was_over);
  EXPECT_TRUE(map.assign(view.whole(), 1));
}

TEST(RegionMap, ReshapeRefusesWhatIsTooMuch) {
  const std::int64_t inner[] = {100};
  const View rows = array_view(10000, {0, 1, inner});
  Box left = rows.whole();
  left[1].end = 50;
  // 100 rows of two halves: 200 runs of bytes.
  for (const auto& [limits, fits] : {std::pair{MapLimits{.boxes = 200}, true},
                                     {MapLimits{.boxes = 199}, false},
                                     {MapLimits{.boxes = 200, .runs = 200}, true},
                                     {MapLimits{.boxes = 200, .runs = 199}, false}}) {
    Map map(rows, 0, limits);
    map.assign(left, 1);
    const Map before = map;
    EXPECT_EQ(map.reshape(linear_view(10000)), fits);
    EXPECT_EQ(map == before, !fits);
    EXPECT_STREQ(map.check(), nullptr);
  }
}

TEST(RegionMap, AQueryStopsWhereItIsTold) {
  const View view = linear_view(100);
  Map map(view, 0);
  for (std::int64_t i = 0; i < 100; i += 10) map.assign(byte_range(i, i + 10), static_cast<int>(i));
  int seen = 0;
  const auto before_50 = [&](const Box&, int value) { return ++seen, value < 50; };
  EXPECT_FALSE(map.query(byte_range(0, 100), before_50));
  EXPECT_EQ(seen, 6);
  EXPECT_TRUE(map.query(byte_range(3, 49), before_50));
  EXPECT_EQ(seen, 11);
  EXPECT_TRUE(map.query(byte_range(49, 49), before_50));
  EXPECT_TRUE(map.query(byte_range(100, 300), before_50));
  EXPECT_EQ(seen, 11);
}

TEST(RegionMap, BuffersOfManyTerabytes) {
  constexpr std::int64_t tera = std::int64_t{1} << 40;
  const std::int64_t inner[] = {tera / 1024, 1024};
  const View view = array_view(1000 * tera - 1, {3, 1, inner});
  Map map(view, 0);
  Box box = view.whole();
  box[0] = {7, 900};
  map.assign(box, 1);
  box[1] = {5, 6};
  map.update(box, [](int) { return 2; });
  EXPECT_EQ(map.box_count(), 5u);
  EXPECT_EQ(map.at(0), 0);
  EXPECT_EQ(map.at(6 * tera + 2), 0);  // row 7 begins at byte 3 + 6 * 2^40
  EXPECT_EQ(map.at(6 * tera + 3), 1);
  EXPECT_EQ(map.at(8 * tera + 3 + 5 * 1024), 2);
  EXPECT_EQ(map.at(8 * tera + 3 + 6 * 1024), 1);
  EXPECT_EQ(map.at(899 * tera + 3), 0);
  const Map before = map;
  ASSERT_TRUE(map.reshape(linear_view(view.bytes)));
  EXPECT_EQ(map.box_count(), 2u + 2 * 893 + 1);
  EXPECT_EQ(map.at(8 * tera + 3 + 5 * 1024), 2);
  ASSERT_TRUE(map.reshape(view));
  EXPECT_TRUE(map == before);
}

TEST(RegionMap, NoBytes) {
  const std::int64_t inner[] = {7};
  for (const View& view : {linear_view(0), array_view(0, {3, 1, inner})}) {
    Map map(view, 1);
    EXPECT_TRUE(map.assign(view.whole(), 2));
    EXPECT_TRUE(map.query(view.whole(), [](const Box&, int) { return false; }));
    EXPECT_TRUE(map.reshape(linear_view(0)));
    EXPECT_STREQ(map.check(), nullptr);
    EXPECT_EQ(map.box_count(), 1u);
  }
}

}  // namespace

/// All of its hashes are equal.
struct Unhashed {
  int number = 0;
  friend bool operator==(const Unhashed&, const Unhashed&) = default;
};

}  // namespace gridspan::tests

template <>
struct std::hash<gridspan::tests::Unhashed> {
  std::size_t operator()(const gridspan::tests::Unhashed&) const { return 0; }
};

namespace gridspan::tests {

namespace {

TEST(RegionMap, DoesNotRelyOnHashes) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    const View view = random_view(random, between(random, 1, 100));
    RegionMap<Unhashed> map(view, {});
    Pair pair(view, 0);
    for (int i = 0; i < 20; ++i) {
      const Box box = random_box(random, view);
      const int value = static_cast<int>(random() % 3);
      map.assign(box, {value});
      pair.assign(box, value);
      ASSERT_STREQ(map.check(), nullptr);
      ASSERT_EQ(map.box_count(), pair.map.box_count());
    }
    for (std::int64_t i = 0; i < view.bytes; ++i) ASSERT_EQ(map.at(i).number, pair.at(i));
  }
}

}  // namespace

}  // namespace gridspan::tests
