// Right models pass; each way of being wrong is found and told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verify_model.h"

namespace gridspan::tests::verify_comparison {

namespace {

constexpr std::int64_t n = 29;  // elements; 8 blocks of 4 threads, the last one partly idle
constexpr std::uint32_t grid = 8, block = 4;

/// Elements [first thread + low, last thread + high] of a part, within the array.
template <int low, int high>
void shifted(const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
  const std::int64_t size = values[3];
  emit(sink, std::max<std::int64_t>(0, part[0] * size + low),
       std::min(n - 1, part[3] * size + size - 1 + high));
}

/// y[i] = x[i - 1] + x[i] + x[i + 1]
class Stencil : public ::testing::Test {
 protected:
  Stencil() {
    hand.each_thread([&](abi::Dim b, std::uint32_t t) {
      const std::int64_t i = b.x * block + t;
      if (i >= n) return;
      for (std::int64_t j = std::max<std::int64_t>(0, i - 1); j <= std::min(n - 1, i + 1); ++j)
        hand.touch(b, RecordedKind::read, x + 4 * j, 4);
      hand.touch(b, RecordedKind::write, y + 4 * i, 4);
    });
    hand.model().axes[0] = {[](const std::int64_t*) { return true; }, 1, 0};
  }
  Findings with(abi::ModelSet read, abi::ModelSet write) {
    hand.add_array("x", x, 4, {read});
    hand.add_array("y", y, 4, {write});
    return hand.compare();
  }

  HandModel hand{{grid, 1, 1}, {block, 1, 1}};
  std::uintptr_t x = hand.add_memory(4 * n), y = hand.add_memory(4 * n);
  const abi::ModelSet right_read = set(SetKind::read, shifted<-1, 1>, exact);
  const abi::ModelSet right_write = set(SetKind::must_write, shifted<0, 0>, exact);
};

TEST_F(Stencil, RightModelPasses) {
  const Findings found = with(right_read, right_write);
  EXPECT_EQ(texts(found), "");
  EXPECT_EQ(found.sets, 2u);
  EXPECT_EQ(found.blocks, grid);
  EXPECT_TRUE(found.failed_assumptions.empty());
}

TEST_F(Stencil, ReadSetTooSmall) {
  const Findings found = with(set(SetKind::read, shifted<0, 1>, exact), right_write);
  EXPECT_EQ(count(found, DifferenceKind::missing_read), found.differences.size());
  ASSERT_GE(found.differences.size(), grid - 1);  // every block but the first
  EXPECT_EQ(found.differences[0].text,
            "block (1,0,0) reads x[3] (byte 12), 4 bytes in all, which no read set of the block "
            "holds");
  EXPECT_EQ(found.differences[0].array, "x");
  EXPECT_EQ(found.differences[0].where.line, 10u);
  EXPECT_STREQ(found.differences[0].where.file, "kernel.cu");
}

TEST_F(Stencil, WriteSetTooSmall) {
  const Findings found = with(right_read, set(SetKind::must_write, shifted<0, -1>, exact));
  EXPECT_GT(count(found, DifferenceKind::missing_write), 0u);
  EXPECT_EQ(found.differences[0].text,
            "block (0,0,0) writes y[3] (byte 12), 4 bytes in all, which no write set of the block "
            "holds");
}

TEST_F(Stencil, ExactReadSetTooLarge) {
  const Findings found = with(set(SetKind::read, shifted<-1, 2>, exact), right_write);
  EXPECT_EQ(count(found, DifferenceKind::unread), found.differences.size());
  ASSERT_FALSE(found.differences.empty());
  EXPECT_EQ(found.differences[0].text,
            "the read set of block (0,0,0) holds x[5], 4 bytes in all, which it does not read "
            "(exact for a block)");
  EXPECT_EQ(found.differences[0].where.line, 1u);
}

TEST_F(Stencil, ReadSetMayBeTooLargeWhereNotExact) {
  EXPECT_EQ(texts(with(set(SetKind::read, shifted<-2, 2>), right_write)), "");
}

TEST_F(Stencil, MustWriteTooLarge) {
  const Findings found = with(right_read, set(SetKind::must_write, shifted<0, 1>));
  EXPECT_GT(count(found, DifferenceKind::unwritten), 0u);
  EXPECT_NE(texts(found).find("the must-write set of block (0,0,0) holds y[4], 4 bytes in all, "
                              "which it does not write (a must-write)"),
            std::string::npos)
      << texts(found);
}

TEST_F(Stencil, MayWriteMayBeTooLarge) {
  EXPECT_EQ(texts(with(right_read, set(SetKind::may_write, shifted<0, 1>))), "");
}

TEST_F(Stencil, ExactFootprintOutsideOfTheAllocation) {
  const auto beyond = [](const std::int64_t*, const std::int64_t* part, abi::BoxSink* sink) {
    emit(sink, part[0] * block, part[3] * block + block - 1);  // the guard is forgotten
  };
  const Findings found = with(right_read, set(SetKind::must_write, beyond, exact));
  EXPECT_EQ(count(found, DifferenceKind::outside), found.differences.size());
  EXPECT_NE(texts(found).find("holds y[29], 12 bytes in all, which lie outside of the allocation"),
            std::string::npos)
      << texts(found);
}

TEST_F(Stencil, OverlappingBoxes) {
  const auto twice = [](const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
    shifted<0, 0>(values, part, sink);
    emit(sink, part[0] * block, part[0] * block);
  };
  const Findings found = with(right_read, set(SetKind::must_write, twice));
  EXPECT_EQ(count(found, DifferenceKind::bad_footprint), found.differences.size());
  EXPECT_NE(texts(found).find("boxes of one footprint overlap: [0..3 step 1] and [0..0 step 1]"),
            std::string::npos);
}

TEST_F(Stencil, EmptyBox) {
  const auto empty = [](const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
    shifted<0, 0>(values, part, sink);
    const std::int64_t box[] = {3, 2, 1};
    sink->take(sink, box);
  };
  const Findings found = with(right_read, set(SetKind::must_write, empty));
  EXPECT_NE(texts(found).find("the empty range 3..2 step 1 in subscript 0"), std::string::npos);
}

TEST_F(Stencil, FailedAssumptionMakesTheSetUnbounded) {
  static constexpr std::uint32_t first[] = {0};
  hand.add_assumption([](const std::int64_t* values) { return values[0] > 100; }, "many blocks");
  abi::ModelSet wrong = set(SetKind::must_write, shifted<0, -3>, exact);
  wrong.assumptions = first;
  wrong.assumption_count = 1;
  const Findings found = with(right_read, wrong);
  EXPECT_EQ(texts(found), "");
  EXPECT_EQ(found.failed_assumptions, std::vector<std::uint32_t>{0});
}

TEST_F(Stencil, UnboundedSetCoversItsAllocationOnly) {
  const Findings found = with(set(SetKind::read, nullptr), set(SetKind::read, nullptr));
  EXPECT_EQ(count(found, DifferenceKind::missing_write), found.differences.size());
  EXPECT_FALSE(found.differences.empty());
}

TEST_F(Stencil, LoadedPointersMayLeadAnywhere) {
  hand.model().obstacles = abi::obstacle_loaded_pointer;
  EXPECT_EQ(texts(with(right_read, set(SetKind::read, nullptr))), "");
}

TEST_F(Stencil, OptionalAccessesMayBeLeftOutOrIn) {
  // A dead load of y: the model may have it or not.
  hand.each_thread([&](abi::Dim b, std::uint32_t t) {
    if (b.x * block + t < n)
      hand.touch(b, RecordedKind::read, y + 4 * (b.x * block + t), 4, abi::ReductionOp::none,
                 abi::recorded_optional);
  });
  EXPECT_EQ(texts(with(right_read, right_write)), "");
  hand.add_array("again", y, 4, {set(SetKind::read, shifted<0, 0>, exact)});
  EXPECT_EQ(texts(hand.compare()), "");
}

TEST_F(Stencil, ModelWithoutTheArray) {
  hand.add_array("x", x, 4, {right_read});
  const Findings found = hand.compare();
  EXPECT_EQ(count(found, DifferenceKind::missing_write), found.differences.size());
  EXPECT_NE(texts(found).find("writes memory of no array"), std::string::npos);
}

TEST_F(Stencil, ArgumentsThatAlias) {
  // Both arguments lead into y's allocation: what x is said to read there is not read.
  hand.add_array("x", x, 4, {right_read});
  hand.add_array("low", y, 4, {right_write});
  EXPECT_EQ(texts(hand.compare()), "");
  hand.add_array("high", y + 40, 4, {set(SetKind::may_write, shifted<0, 0>)});
  EXPECT_EQ(texts(hand.compare()), "");
  hand.add_array("wrong", y + 40, 4, {set(SetKind::read, shifted<-1, 1>, abi::set_exact_block)});
  EXPECT_GT(count(hand.compare(), DifferenceKind::unread), 0u);
}

TEST_F(Stencil, ExactFootprintOfANullPointer) {
  hand.add_array("nothing", 0, 4, {right_read});
  const Findings found = with(right_read, right_write);
  EXPECT_EQ(count(found, DifferenceKind::outside), found.differences.size());
  EXPECT_FALSE(found.differences.empty());
}

}  // namespace

}  // namespace gridspan::tests::verify_comparison
