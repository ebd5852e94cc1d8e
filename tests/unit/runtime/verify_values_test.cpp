// Sets that claim that all blocks store the same: what is stored is recorded and compared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/group_writes.h"
#include "runtime/verify/recorder.h"
#include "verify_model.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>

namespace gridspan::tests::verify_values {

namespace {

using namespace runtime::verify;

TEST(StoredValue, BytesFollowTheAddress) {
  StoredValues values;
  values.add(0x8877665544332211, 0xcafe, 1004, 10);
  const auto taken = values.take([] {
    IntervalSet memory;
    memory.add(1000, 1012);
    memory.normalise();
    return memory;
  }());
  ASSERT_EQ(taken.size(), 1u);
  const std::vector<Interval> where(taken[0].where.parts().begin(), taken[0].where.parts().end());
  EXPECT_EQ(where, (std::vector<Interval>{{1004, 1012}}));
  EXPECT_EQ(taken[0].value.byte_at(1004), 0x11);
  EXPECT_EQ(taken[0].value.byte_at(1011), 0x88);
  EXPECT_EQ(taken[0].value.byte_at(1012), 0xfe);
  EXPECT_EQ(taken[0].value.byte_at(1014), 0x11);  // the next one
  EXPECT_TRUE(values.take({}).empty());
}

TEST(StoredValue, KeepsTheFirstFew) {
  IntervalSet memory;
  memory.add(1, 10000);
  memory.normalise();
  StoredValues values;
  for (std::uint64_t i = 0; i < 100; ++i)
    for (std::uint64_t again = 0; again < 3; ++again) values.add(i, 0, 8 * (1 + i), 8);
  const auto taken = values.take(memory);
  ASSERT_EQ(taken.size(), StoredValues::most);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    EXPECT_EQ(taken[i].value.low, i);
    EXPECT_EQ(taken[i].where.bytes(), 8u);
  }
}

/// Byte by byte: who wrote it, and what.
bool contradicts(const std::vector<Written>& writes, Groups groups) {
  std::map<std::uintptr_t, std::vector<const Written*>> writers;
  for (const Written& write : writes)
    for (std::uintptr_t at = write.bytes.begin; at < write.bytes.end; ++at)
      writers[at].push_back(&write);
  for (const auto& [at, list] : writers)
    for (const Written* a : list)
      for (const Written* b : list) {
        if (groups.of(a->block) == groups.of(b->block)) continue;
        if (a->claim == Written::Claim::alone || b->claim == Written::Claim::alone) return true;
        if (a->value && b->value && a->value->byte_at(at) != b->value->byte_at(at)) return true;
      }
  return false;
}

TEST(GroupWrites, AgreeWithLookingAtEachByte) {
  std::mt19937 random(11);
  const auto below = [&](std::uint32_t count) {
    return static_cast<std::uint32_t>(random()) % count;
  };
  const StoredValue values[] = {
      {0x01010101, 0, 4, 0},
      {0x0101, 0, 2, 0},
      {0x01020102, 0, 4, 0},
      {0x0102, 0, 2, 0},
      {0x0201, 0, 2, 1}};  // bytes 1 1 1 1, the same, 2 1 2 1, the same, and again
  const abi::AccessSite site{};
  int contradictions = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Written> writes;
    for (std::uint32_t i = below(6); i > 0; --i) {
      const std::uintptr_t begin = 100 + below(24);
      const bool alone = below(6) == 0;
      const StoredValue* value = alone || below(5) == 0 ? nullptr : &values[below(5)];
      writes.push_back({{begin, begin + 1 + below(9)},
                        {below(4), 0, 0},
                        &site,
                        alone ? Written::Claim::alone : Written::Claim::same,
                        value});
    }
    std::ranges::sort(writes, {}, [](const Written& one) { return one.bytes.begin; });
    const Groups groups{0, 1 + below(2)};
    const auto found = find_contradiction(writes, groups);
    ASSERT_EQ(found.has_value(), contradicts(writes, groups)) << "round " << round;
    if (!found) continue;
    ++contradictions;
    EXPECT_TRUE(contradicts({*found->first, *found->second}, groups));
    EXPECT_TRUE(found->first->bytes.begin <= found->address &&
                found->address < found->first->bytes.end);
  }
  EXPECT_GT(contradictions, 300);
}

constexpr std::uint32_t grid = 6;

/// Every block writes the one element there is.
void flag(const std::int64_t*, const std::int64_t*, abi::BoxSink* sink) { emit(sink, 0, 0); }

Findings flags(SetKind kind, std::function<std::uint64_t(std::uint32_t)> value_in_block,
               std::uint32_t granularity = 1) {
  HandModel hand({grid, 1, 1}, {1, 1, 1});
  const std::uintptr_t x = hand.add_memory(4);
  for (std::uint32_t b = 0; b < grid; ++b) hand.store({b, 0, 0}, x, 4, value_in_block(b));
  hand.add_array("x", x, 4, {set(kind, flag, exact)});
  hand.model().axes[0] = {[](const std::int64_t*) { return true; }, granularity, 0};
  return hand.compare();
}

TEST(SameValues, AllStoreTheSame) {
  EXPECT_EQ(texts(flags(SetKind::write_same, [](std::uint32_t) { return 7u; })), "");
}

TEST(SameValues, OneBlockStoresAnother) {
  const Findings found =
      flags(SetKind::write_same, [](std::uint32_t b) { return b == 4 ? 0x107u : 7u; });
  ASSERT_EQ(found.differences.size(), 1u) << texts(found);
  EXPECT_EQ(found.differences[0].kind, DifferenceKind::other_value);
  EXPECT_EQ(
      found.differences[0].text,
      "blocks (0,0,0) and (4,0,0) store different values in x[0] + 1 bytes, but the model lets "
      "the grid be cut along axis x in groups of 1 because all blocks store the same there");
}

TEST(SameValues, BlocksOfOneGroupMayDiffer) {
  EXPECT_EQ(texts(flags(SetKind::write_same, [](std::uint32_t b) { return b; }, grid)), "");
  EXPECT_EQ(count(flags(
                      SetKind::write_same, [](std::uint32_t b) { return b; }, 2),
                  DifferenceKind::other_value),
            1u);
}

TEST(SameValues, WithoutTheClaimEvenEqualOnesCollide) {
  const Findings found = flags(SetKind::must_write, [](std::uint32_t) { return 7u; });
  EXPECT_EQ(count(found, DifferenceKind::not_injective), 1u) << texts(found);
}

/// Two arguments, one place: which of them a store went through is not known.
TEST(SameValues, OverlappingArgumentsAreNotCompared) {
  HandModel hand({grid, 1, 1}, {1, 1, 1});
  const std::uintptr_t x = hand.add_memory(4);
  for (std::uint32_t b = 0; b < grid; ++b) hand.store({b, 0, 0}, x, 4, b);
  hand.add_array("x", x, 4, {set(SetKind::write_same, flag, exact)});
  hand.add_array("y", x, 4, {set(SetKind::write_same, flag, exact)});
  hand.model().axes[0] = {[](const std::int64_t*) { return true; }, 1, 0};
  EXPECT_EQ(texts(hand.compare()), "");
}

TEST(Recorder, KeepsValuesIfAsked) {
  IntervalSet memory;
  memory.add(100, 200);
  memory.normalise();
  const abi::AccessSite site{{"a.cu", 1, 1}, RecordedKind::write, abi::ReductionOp::none, 0, 0};
  for (const bool values : {false, true}) {
    runtime::verify::Recorder recorder(1, {2, 1, 1}, memory, {.values = values});
    abi::BlockContext block{};
    for (std::uint32_t b = 0; b < 2; ++b) {
      block.block_index.x = b;
      for (std::uintptr_t i = 0; i < 4; ++i) {
        char* const address = reinterpret_cast<char*>(100 + 4 * i);
        gridspan_record_store(&block, &site, address, 4, 40 + b, 0);
      }
    }
    const auto blocks = recorder.finish();
    ASSERT_EQ(blocks.size(), 2u);
    for (std::uint32_t b = 0; b < 2; ++b) {
      EXPECT_EQ(blocks[b].sites[0].touched.bytes(), 16u);
      ASSERT_EQ(blocks[b].sites[0].values.size(), values ? 1u : 0u);
      if (!values) continue;
      EXPECT_EQ(blocks[b].sites[0].values[0].value.low, 40 + b);
      EXPECT_EQ(blocks[b].sites[0].values[0].where.bytes(), 16u);
    }
  }
}

}  // namespace

}  // namespace gridspan::tests::verify_values
