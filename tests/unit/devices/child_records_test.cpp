// The list on which kernels of a GPU note what they launch: room, order, damage.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/child_records.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <thread>
#include <vector>

namespace gridspan::devices::cuda {
namespace {

/// A list with room for `bytes` of records.
class Listed {
 public:
  explicit Listed(std::size_t bytes) : memory_((sizeof(abi::ChildList) + bytes) / 16) {
    list() = {.used = 0,
              .end = ~0ull,
              .capacity = bytes,
              .refused = 0,
              .depth = 0,
              .most_shared = 0,
              .reserved = {}};
  }
  abi::ChildList& list() { return *reinterpret_cast<abi::ChildList*>(memory_.data()); }
  /// A launch with these arguments. False: there is no room.
  bool add(std::uint64_t identity, const std::vector<unsigned char>& arguments,
           bool is_tail = false) {
    const auto bytes = static_cast<unsigned>(arguments.size());
    abi::ChildRecord* const record = abi::take_record(list(), abi::record_bytes(bytes));
    if (!record) return false;
    *record = {};
    record->bytes = abi::record_bytes(bytes);
    record->is_tail = is_tail;
    record->argument_bytes = bytes;
    record->operands[0] = identity;
    if (bytes != 0) std::memcpy(record + 1, arguments.data(), bytes);
    return true;
  }
  std::span<std::byte> records() {
    const std::size_t all = std::min(list().used, list().end);
    return {reinterpret_cast<std::byte*>(&list() + 1), all};
  }
  std::vector<std::uint64_t> order() {
    std::vector<std::uint64_t> numbers;
    const auto found = in_order(records());
    if (!found) return {};
    for (const abi::ChildRecord* record : *found) numbers.push_back(record->operands[0]);
    return numbers;
  }
  bool is_damaged() { return !in_order(records()); }

 private:
  struct alignas(16) Quad {
    unsigned char bytes[16];
  };
  std::vector<Quad> memory_;
};

using Numbers = std::vector<std::uint64_t>;

TEST(ChildRecords, TailLaunchesAreLast) {
  Listed one(1 << 12);
  EXPECT_EQ(one.order(), Numbers());
  EXPECT_FALSE(one.is_damaged());
  one.add(1, {1}, true);
  one.add(2, {});
  one.add(3, std::vector<unsigned char>(17), true);
  one.add(4, std::vector<unsigned char>(16));
  EXPECT_EQ(one.order(), (Numbers{2, 4, 1, 3}));
}

TEST(ChildRecords, WhatFindsNoRoomIsCounted) {
  Listed one(3 * 64 + 32);
  EXPECT_TRUE(one.add(1, {}));
  EXPECT_FALSE(one.add(2, std::vector<unsigned char>(200)));
  EXPECT_FALSE(one.add(3, {}));  // though it would have fitted: what comes later comes later
  EXPECT_EQ(one.order(), (Numbers{1}));
  EXPECT_EQ(one.list().refused, 2u);
}

TEST(ChildRecords, ThreadsShareTheRoom) {
  constexpr unsigned threads = 4, each = 2000, room = 5000;
  Listed one(std::size_t{room} * 80);
  std::vector<std::vector<std::uint64_t>> taken(threads);
  {
    std::vector<std::jthread> all;
    for (unsigned t = 0; t < threads; ++t)
      all.emplace_back([&, t] {
        for (unsigned i = 0; i < each; ++i)
          if (one.add(t * each + i, {1, 2, 3})) taken[t].push_back(t * each + i);
      });
  }
  const Numbers order = one.order();
  EXPECT_EQ(order.size(), room);
  EXPECT_EQ(one.list().refused, threads * each - room);
  // Of each thread in its order, and nothing else.
  std::map<std::uint64_t, Numbers> by_thread;
  for (const std::uint64_t number : order) by_thread[number / each].push_back(number);
  for (unsigned t = 0; t < threads; ++t) EXPECT_EQ(by_thread[t], taken[t]);
}

TEST(ChildRecords, DamageIsSeen) {
  const auto with = [](auto damage) {
    Listed one(1 << 12);
    one.add(1, {1, 2, 3});
    one.add(2, std::vector<unsigned char>(40));
    damage(*reinterpret_cast<abi::ChildRecord*>(one.records().data() + 80));
    return one.is_damaged();
  };
  EXPECT_FALSE(with([](abi::ChildRecord&) {}));
  EXPECT_TRUE(with([](abi::ChildRecord& record) { record.bytes = 0; }));
  EXPECT_TRUE(with([](abi::ChildRecord& record) { record.bytes = 8; }));
  EXPECT_TRUE(with([](abi::ChildRecord& record) { record.bytes += 16; }));
  EXPECT_TRUE(with([](abi::ChildRecord& record) { record.argument_bytes = 49; }));
  EXPECT_TRUE(with([](abi::ChildRecord& record) { record.argument_bytes = ~0u; }));
  EXPECT_TRUE(with([](abi::ChildRecord& record) { record.kind = static_cast<abi::ChildKind>(3); }));
  Listed cut(1 << 12);
  cut.add(1, {1, 2, 3});
  EXPECT_FALSE(in_order(cut.records().first(32)));
}

TEST(ChildRecords, ArgumentsAreTheKernels) {
  const abi::Parameter parameters[] = {{1, 1, 0, 0}, {8, 8, 8, 1}, {4, 4, 16, 0}};
  abi::Kernel kernel{};
  kernel.parameters = parameters;
  kernel.parameter_count = 3;
  Listed one(1 << 12);
  std::vector<unsigned char> packed(20);
  packed[0] = 7;
  packed[8] = 8;
  packed[16] = 9;
  one.add(1, packed);
  const auto records = in_order(one.records());
  ASSERT_TRUE(records);
  const auto arguments = arguments_of(*records->front(), kernel);
  ASSERT_TRUE(arguments);
  ASSERT_EQ(arguments->size(), 3u);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(*static_cast<const unsigned char*>((*arguments)[i]), 7 + i);
  kernel.parameter_count = 2;
  EXPECT_FALSE(arguments_of(*records->front(), kernel));
  kernel.parameter_count = 0;
  EXPECT_FALSE(arguments_of(*records->front(), kernel));
}

static_assert(abi::identity_of("", 0) == 0xcbf29ce484222325);
static_assert(abi::identity_of("a", 1) == 0xaf63dc4c8601ec8c);  // as published for FNV-1a

TEST(ChildRecords, PossibleGridsAreCudas) {
  const auto is = [](abi::Dim grid, abi::Dim block, std::uint64_t shared = 0) {
    return abi::is_possible(grid, block, shared, 1000);
  };
  EXPECT_TRUE(is({0x7fffffff, 65535, 65535}, {16, 1, 64}, 1000));
  EXPECT_FALSE(is({0x80000000, 1, 1}, {1, 1, 1}));
  EXPECT_FALSE(is({1, 65536, 1}, {1, 1, 1}));
  EXPECT_FALSE(is({1, 1, 65536}, {1, 1, 1}));
  EXPECT_FALSE(is({1, 1, 1}, {1, 1, 65}));
  EXPECT_FALSE(is({1, 1, 1}, {1025, 1, 1}));
  EXPECT_FALSE(is({1, 1, 1}, {33, 32, 1}));
  EXPECT_FALSE(is({1, 1, 1}, {0x80000000, 2, 1}));
  EXPECT_FALSE(is({1, 1, 1}, {1, 1, 1}, 1001));
  for (int axis = 0; axis < 3; ++axis) {
    abi::Dim none{1, 1, 1};
    (axis == 0 ? none.x : axis == 1 ? none.y : none.z) = 0;
    EXPECT_FALSE(is(none, {1, 1, 1}));
    EXPECT_FALSE(is({1, 1, 1}, none));
  }
}

}  // namespace
}  // namespace gridspan::devices::cuda
