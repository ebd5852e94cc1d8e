// Interval sets, boxes as bytes, and the recorder, against byte-by-byte references.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/box_bytes.h"
#include "runtime/verify/recorder.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <thread>

namespace gridspan::tests::verify_recorder {

namespace {

using namespace runtime::verify;

using Bytes = std::set<std::uintptr_t>;

Bytes bytes_of(const IntervalSet& set) {
  Bytes all;
  std::uintptr_t end = 0;
  for (const Interval& part : set.parts()) {
    EXPECT_LT(part.begin, part.end);
    EXPECT_TRUE(end == 0 || part.begin > end) << "not in normal form";
    end = part.end;
    for (std::uintptr_t at = part.begin; at < part.end; ++at) all.insert(at);
  }
  return all;
}

TEST(IntervalSet, AgreesWithSetsOfBytes) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    IntervalSet sets[2];
    Bytes expected[2];
    for (int s = 0; s < 2; ++s) {
      for (int i = static_cast<int>(random() % 12); i > 0; --i) {
        const std::uintptr_t begin = 1 + random() % 60, end = begin + random() % 9;
        sets[s].add(begin, end);
        for (std::uintptr_t at = begin; at < end; ++at) expected[s].insert(at);
      }
      sets[s].normalise();
      EXPECT_EQ(bytes_of(sets[s]), expected[s]);
      EXPECT_EQ(sets[s].bytes(), expected[s].size());
    }
    Bytes difference, common;
    for (const std::uintptr_t at : expected[0])
      (expected[1].contains(at) ? common : difference).insert(at);
    EXPECT_EQ(bytes_of(sets[0].minus(sets[1])), difference);
    EXPECT_EQ(bytes_of(sets[0].intersection(sets[1])), common);
    for (std::uintptr_t at = 0; at < 80; ++at)
      EXPECT_EQ(sets[0].contains(at), expected[0].contains(at));
  }
}

TEST(IntervalSet, StaysSmallWhileItIsFilled) {
  IntervalSet set;
  for (int round = 0; round < 100; ++round)
    for (std::uintptr_t i = 1; i <= 1000; ++i) set.add(64 * i, 64 * i + 4);
  EXPECT_LT(set.memory(), 20'000 * sizeof(Interval));
  set.normalise();
  EXPECT_EQ(set.parts().size(), 1000u);
}

TEST(BoxBytes, AgreesWithTheFormula) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random()) % n; };
    const auto rank = static_cast<std::uint32_t>(1 + below(3));
    const std::int64_t inner[2] = {1 + below(5), 1 + below(5)};
    const ArrayLayout layout{1000, static_cast<std::uint32_t>(1 + below(4)), rank,
                             std::span(inner, rank - 1)};
    std::int64_t box[9];
    for (std::uint32_t i = 0; i < rank; ++i) {
      const std::int64_t extent = i == 0 ? 6 : inner[i - 1];
      box[3 * i] = below(4) == 0 ? 0 : below(extent);
      box[3 * i + 1] = below(4) == 0 ? extent - 1 : box[3 * i] + below(extent - box[3 * i]);
      box[3 * i + 2] = 1 + below(2);
    }
    Bytes expected;
    const auto visit = [&](auto& self, std::uint32_t at, std::int64_t offset) -> void {
      if (at == rank) {
        for (std::uint32_t i = 0; i < layout.element_bytes; ++i)
          expected.insert(1000 + static_cast<std::uintptr_t>(offset) * layout.element_bytes + i);
        return;
      }
      for (std::int64_t i = box[3 * at]; i <= box[3 * at + 1]; i += box[3 * at + 2])
        self(self, at + 1, (at > 0 ? offset * inner[at - 1] : 0) + i);
    };
    visit(visit, 0, 0);
    IntervalSet bytes;
    EXPECT_EQ(add_box(layout, box, bytes), "");
    bytes.normalise();
    EXPECT_EQ(bytes_of(bytes), expected);
  }
}

TEST(BoxBytes, RefusesWhatIsNoBox) {
  IntervalSet bytes;
  const ArrayLayout layout{0, 4, 1, {}};
  const std::int64_t no_stride[] = {0, 3, 0}, huge[] = {0, std::int64_t{1} << 50, 2};
  EXPECT_EQ(add_box(layout, no_stride, bytes), "a box has the range 0..3 step 0 in subscript 0");
  EXPECT_EQ(add_box(layout, huge, bytes), "a box falls into more than 10^8 pieces");
  EXPECT_TRUE(bytes.empty());
}

abi::AccessSite site(std::uint32_t index) {
  return {{"a.cu", 1, 1}, abi::RecordedKind::read, abi::ReductionOp::none, 0, index};
}

TEST(Recorder, KeepsBlocksApartAndDropsForeignMemory) {
  IntervalSet memory;
  memory.add(1000, 2000);
  memory.normalise();
  const abi::AccessSite sites[] = {site(0), site(1)};
  Recorder recorder(2, {4, 2, 1}, memory, {.seed = 1});
  // Two workers, each with its block context, blocks in any order.
  const auto work = [&](std::uint32_t y) {
    abi::BlockContext block{};
    for (const std::uint32_t x : {2u, 0u, 3u}) {
      block.block_index = {x, y, 0};
      for (std::uintptr_t i = 0; i < 10; ++i) {
        Recorder::access(&block, &sites[0], 1000 + 100 * x + 500 * y + 4 * i, 4);
        Recorder::access(&block, &sites[1], 5000 + 4 * i, 4);
      }
      Recorder::access(&block, &sites[1], 1996, 8);  // runs over the end
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  const std::vector<BlockRecord> blocks = recorder.finish();
  ASSERT_EQ(blocks.size(), 6u);
  EXPECT_FALSE(recorder.is_thinned());
  const std::uint64_t numbers[] = {0, 2, 3, 4, 6, 7};
  for (std::size_t i = 0; i < 6; ++i) {
    const BlockRecord& block = blocks[i];
    EXPECT_EQ(block.number, numbers[i]);
    EXPECT_EQ(block.index.x, numbers[i] % 4);
    EXPECT_EQ(block.index.y, numbers[i] / 4);
    ASSERT_EQ(block.sites.size(), 2u);
    const std::uintptr_t begin = 1000 + 100 * block.index.x + 500 * block.index.y;
    ASSERT_EQ(block.sites[0].touched.parts().size(), 1u);
    EXPECT_EQ(block.sites[0].touched.parts()[0], (Interval{begin, begin + 40}));
    EXPECT_EQ(block.sites[1].touched.parts()[0], (Interval{1996, 2000}));
  }
}

/// Blocks on fibers take turns on one thread.
TEST(Recorder, BlocksMayTakeTurns) {
  IntervalSet memory;
  memory.add(1, 100);
  memory.normalise();
  const abi::AccessSite one = site(0);
  Recorder recorder(1, {2, 1, 1}, memory, {.seed = 1});
  abi::BlockContext contexts[2] = {};
  contexts[1].block_index.x = 1;
  for (std::uintptr_t i = 0; i < 20; ++i) Recorder::access(&contexts[i % 2], &one, 10 + i, 1);
  const auto blocks = recorder.finish();
  ASSERT_EQ(blocks.size(), 2u);
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_EQ(blocks[b].sites[0].touched.parts().size(), 10u);
    EXPECT_EQ(blocks[b].sites[0].touched.parts()[0].begin, 10 + b);
  }
}

TEST(Recorder, NobodyListens) {
  abi::BlockContext block{};
  const abi::AccessSite one = site(0);
  Recorder::access(&block, &one, 10, 4);  // must not do anything
}

TEST(Recorder, ForgetsBlocksWhenThereIsTooMuch) {
  constexpr std::uint32_t count = 400;
  IntervalSet memory;
  memory.add(1, 1 << 20);
  memory.normalise();
  const abi::AccessSite one = site(0);
  Recorder recorder(1, {count, 1, 1}, memory, {.seed = 9, .limit = 64 << 10});
  abi::BlockContext block{};
  for (std::uint32_t b = 0; b < count; ++b) {
    block.block_index.x = b;
    for (std::uintptr_t i = 1; i < 100; ++i) Recorder::access(&block, &one, 8 * i, 1);
  }
  const auto blocks = recorder.finish();
  EXPECT_TRUE(recorder.is_thinned());
  EXPECT_GT(blocks.size(), 5u);
  EXPECT_LT(blocks.size(), 64u);  // about 1.6 kB each
  std::size_t sampled = 0;
  for (std::uint64_t number = 0; number < count; ++number) sampled += recorder.is_sampled(number);
  EXPECT_EQ(blocks.size(), sampled);
  for (const BlockRecord& kept : blocks) EXPECT_EQ(kept.sites[0].touched.parts().size(), 99u);
}

}  // namespace

}  // namespace gridspan::tests::verify_recorder
