// What only shows between blocks: parts, axes, reductions; and values, shapes and messages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verify_model.h"

#include "runtime/verify/report.h"

namespace gridspan::tests::verify_parts {

namespace {

constexpr std::uint32_t grid = 6, block = 4;
bool always(const std::int64_t*) { return true; }
bool never(const std::int64_t*) { return false; }

/// a[blockDim.x * blockIdx.x]: right for a block, too dense for a part.
void first_of_block_dense(const std::int64_t* values, const std::int64_t* part,
                          abi::BoxSink* sink) {
  emit(sink, values[3] * part[0], values[3] * part[3]);
}
void first_of_block(const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
  emit(sink, values[3] * part[0], values[3] * part[3], values[3]);
}

class Parts : public ::testing::Test {
 protected:
  Findings one_element_a_block(abi::ModelSet write) {
    for (std::uint32_t b = 0; b < grid; ++b)
      hand.touch({b, 0, 0}, RecordedKind::write, a + 4 * b * block, 4);
    hand.add_array("a", a, 4, {write});
    return hand.compare();
  }
  /// Every block writes the same elements.
  Findings same_elements(SetKind kind, abi::PredicateFunction legal, std::uint32_t granularity) {
    hand.each_thread(
        [&](abi::Dim b, std::uint32_t t) { hand.touch(b, RecordedKind::write, a + 4 * t, 4); });
    hand.add_array("a", a, 4, {set(kind, [](auto*, auto*, auto* sink) { emit(sink, 0, 3); })});
    hand.model().axes[0] = {legal, granularity, 0};
    return hand.compare();
  }

  HandModel hand{{grid, 1, 1}, {block, 1, 1}};
  std::uintptr_t a = hand.add_memory(4 * grid * block);
};

TEST_F(Parts, StridedFootprintIsRight) {
  EXPECT_EQ(texts(one_element_a_block(set(SetKind::must_write, first_of_block, exact))), "");
}

TEST_F(Parts, DenseMustWriteIsRightForBlocksAndWrongForParts) {
  const Findings found = one_element_a_block(set(SetKind::must_write, first_of_block_dense, exact));
  EXPECT_EQ(count(found, DifferenceKind::unwritten), found.differences.size());
  EXPECT_NE(
      texts(found).find("the must-write set of blocks (0,0,0) to (5,0,0) holds a[1], 60 bytes"),
      std::string::npos)
      << texts(found);
}

TEST_F(Parts, DenseExactPartIsWrong) {
  const Findings found = one_element_a_block(set(SetKind::may_write, first_of_block_dense, exact));
  EXPECT_NE(texts(found).find("(exact for a part)"), std::string::npos);
  EXPECT_EQ(texts(found).find("(exact for a block)"), std::string::npos);
}

TEST_F(Parts, DenseMustWriteExactForBlocksOnly) {
  const abi::ModelSet honest = set(SetKind::must_write, first_of_block_dense, abi::set_exact_block);
  EXPECT_EQ(texts(one_element_a_block(honest)), "");
}

TEST_F(Parts, DenseMayWriteExactForBlocksOnly) {
  const abi::ModelSet honest = set(SetKind::may_write, first_of_block_dense, abi::set_exact_block);
  EXPECT_EQ(texts(one_element_a_block(honest)), "");
}

TEST_F(Parts, PartThatForgetsItsLastBlock) {
  const auto forgets = [](const std::int64_t* values, const std::int64_t* part,
                          abi::BoxSink* sink) {
    const std::int64_t last = part[3] > part[0] ? part[3] - 1 : part[3];
    emit(sink, values[3] * part[0], values[3] * last, values[3]);
  };
  const Findings found = one_element_a_block(set(SetKind::must_write, forgets, exact));
  EXPECT_EQ(count(found, DifferenceKind::missing_write), found.differences.size());
  EXPECT_NE(texts(found).find("which no write set of blocks (0,0,0) to (5,0,0) holds"),
            std::string::npos);
}

TEST_F(Parts, BlocksLeftOutOfTheSampleProveNothingAboutParts) {
  for (std::uint32_t b = 0; b < grid; ++b)
    hand.touch({b, 0, 0}, RecordedKind::write, a + 4 * b * block, 4);
  hand.add_array("a", a, 4, {set(SetKind::must_write, first_of_block, exact)});
  const Findings found = hand.compare([](std::uint64_t number) { return number != 2; });
  EXPECT_EQ(texts(found), "");
  EXPECT_EQ(found.blocks, grid - 1);
}

TEST_F(Parts, BlockThatTouchedNothingIsStillCompared) {
  for (std::uint32_t b = 0; b + 1 < grid; ++b)
    hand.touch({b, 0, 0}, RecordedKind::write, a + 4 * b * block, 4);
  hand.add_array("a", a, 4, {set(SetKind::must_write, first_of_block, exact)});
  EXPECT_NE(texts(hand.compare()).find("the must-write set of block (5,0,0) holds a[20]"),
            std::string::npos);
}

TEST_F(Parts, WrongClaimThatAnAxisMayBeCut) {
  const Findings found = same_elements(SetKind::must_write, always, 1);
  ASSERT_EQ(texts(found),
            "a: blocks (0,0,0) and (1,0,0) both write a[0], but the model lets the grid be cut "
            "along axis x in groups of 1\n");
}
TEST_F(Parts, AxisThatMayNotBeCut) {
  EXPECT_EQ(texts(same_elements(SetKind::must_write, never, 1)), "");
}
TEST_F(Parts, AxisThatMayBeCutInLargeGroups) {
  EXPECT_EQ(texts(same_elements(SetKind::must_write, always, grid)), "");
}
TEST_F(Parts, GroupsThatAreTooSmall) {
  EXPECT_EQ(count(same_elements(SetKind::may_write, always, 4), DifferenceKind::not_injective), 1u);
}
TEST_F(Parts, EveryBlockMayWriteTheSame) {
  EXPECT_EQ(texts(same_elements(SetKind::write_same, always, 1)), "");
}

/// Blocks (x, y) write row y: cutting along y is fine, along x it is not.
TEST(Axes, OnlyTheAxisThatCollides) {
  HandModel hand({3, 4, 1}, {1, 1, 1});
  const std::uintptr_t a = hand.add_memory(4 * 12);
  for (std::uint32_t y = 0; y < 4; ++y)
    for (std::uint32_t x = 0; x < 3; ++x)
      hand.touch({x, y, 0}, RecordedKind::write, a + 12 * y, 12);
  const std::uint32_t array =
      hand.add_array("a", a, 4,
                     {set(
                         SetKind::must_write,
                         [](auto*, const std::int64_t* part, auto* sink) {
                           const std::int64_t box[] = {part[1], part[4], 1, 0, 2, 1};
                           sink->take(sink, box);
                         },
                         exact)});
  hand.array(array).rank = 2;
  hand.array(array).extents = [](const std::int64_t*, std::int64_t* inner) { inner[0] = 3; };
  hand.model().axes[1] = {always, 1, 0};
  EXPECT_EQ(texts(hand.compare()), "");
  hand.model().axes[0] = {always, 1, 0};
  const Findings found = hand.compare();
  EXPECT_NE(
      texts(found).find("both write a[0][0], but the model lets the grid be cut along axis x"),
      std::string::npos)
      << texts(found);
  EXPECT_EQ(found.differences.size(), 1u);
}

class Reductions : public ::testing::Test {
 protected:
  Findings with(SetKind kind, abi::ReductionOp op, RecordedKind touched,
                abi::ReductionOp touched_op) {
    for (std::uint32_t b = 0; b < grid; ++b) hand.touch({b, 0, 0}, touched, a, 4, touched_op);
    hand.add_array("a", a, 4,
                   {set(kind, [](auto*, auto*, auto* sink) { emit(sink, 0, 0); }, exact, op)});
    return hand.compare();
  }
  HandModel hand{{grid, 1, 1}, {1, 1, 1}};
  std::uintptr_t a = hand.add_memory(4);
  static constexpr auto add = abi::ReductionOp::add, none = abi::ReductionOp::none;
};

TEST_F(Reductions, Right) {
  EXPECT_EQ(texts(with(SetKind::reduction, add, RecordedKind::update, add)), "");
}
TEST_F(Reductions, OtherOperation) {
  const Findings found = with(SetKind::reduction, abi::ReductionOp::max, RecordedKind::update, add);
  EXPECT_GT(count(found, DifferenceKind::missing_atomic), 0u);
  EXPECT_NE(texts(found).find("which no reduction(add) or atomic set of the block holds"),
            std::string::npos);
}
TEST_F(Reductions, ResultIsUsed) {
  EXPECT_GT(count(with(SetKind::reduction, add, RecordedKind::atomic, add),
                  DifferenceKind::missing_atomic),
            0u);
}
TEST_F(Reductions, PlainWrite) {
  const Findings found = with(SetKind::reduction, add, RecordedKind::write, none);
  EXPECT_GT(count(found, DifferenceKind::missing_write), 0u);
  EXPECT_GT(count(found, DifferenceKind::not_updated), 0u);
}
TEST_F(Reductions, PlainRead) {
  EXPECT_GT(
      count(with(SetKind::reduction, add, RecordedKind::read, none), DifferenceKind::missing_read),
      0u);
}
TEST_F(Reductions, AtomicIsNotCoveredByWritesAlone) {
  hand.add_array("w", a, 4, {set(SetKind::may_write, nullptr)});
  EXPECT_GT(count(with(SetKind::must_write, none, RecordedKind::atomic, add),
                  DifferenceKind::missing_atomic),
            0u);
}
TEST_F(Reductions, AtomicIsCoveredByReadAndWrite) {
  hand.add_array("r", a, 4, {set(SetKind::read, nullptr)});
  const Findings found = with(SetKind::may_write, none, RecordedKind::update, add);
  EXPECT_EQ(count(found, DifferenceKind::missing_atomic), 0u) << texts(found);
}
TEST_F(Reductions, AtomicSetsMayDoAnything) {
  EXPECT_EQ(texts(with(SetKind::atomic, none, RecordedKind::update, add)), "");
}

/// Every block reads one element of `a`; the last block's lies behind its end, in `b`.
class Stray : public ::testing::Test {
 protected:
  Findings reads(std::uint32_t last_block_reads, abi::PredicateFunction holds) {
    assumption = hand.add_assumption(holds, "rows are long enough");
    for (std::uint32_t i = 0; i + 1 < grid; ++i)
      hand.touch({i, 0, 0}, RecordedKind::read, a + 4 * i, 4);
    hand.touch({grid - 1, 0, 0}, RecordedKind::read, b, 4 * last_block_reads);
    abi::ModelSet read = set(SetKind::read, [](auto*, auto*, auto* sink) { emit(sink, 0, 5); });
    read.assumptions = &assumption;
    read.assumption_count = 1;
    hand.add_array("a", a, 4, {read});
    hand.add_array("b", b, 4, {});
    return hand.compare();
  }

  HandModel hand{{grid, 1, 1}, {block, 1, 1}};
  std::uintptr_t a = hand.add_memory(4 * grid), b = hand.add_memory(4 * grid);
  std::uint32_t assumption = 0;
};

TEST_F(Stray, ReadBehindTheEndIsTheProgramsFault) {
  const Findings found = reads(1, never);
  EXPECT_EQ(texts(found), "");
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_EQ(found.warnings[0].text, "the program reads outside of 'a'");
  runtime::verify::Report report;
  report.add(runtime::verify::BoundModel(hand.launch()), found);
  report.add(runtime::verify::BoundModel(hand.launch()), found);
  EXPECT_EQ(report.warnings(), 1u);
  EXPECT_EQ(report.differences(), 0u);
}
TEST_F(Stray, WithAFootprintTheModelIsWrong) {
  const Findings found = reads(1, always);
  EXPECT_GT(count(found, DifferenceKind::missing_read), 0u);
  EXPECT_TRUE(found.warnings.empty());
}
TEST_F(Stray, PlaceThatMostlyReadsTheOtherArray) {
  const Findings found = reads(grid, never);
  EXPECT_GT(count(found, DifferenceKind::missing_read), 0u);
  EXPECT_TRUE(found.warnings.empty());
}

TEST_F(Parts, BoxesOverlapOnlyWhereTheSetSaysSo) {
  const auto twice = [](const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
    first_of_block(values, part, sink);
    first_of_block(values, part, sink);
  };
  const std::uint32_t may_overlap = exact | abi::set_boxes_overlap;
  EXPECT_EQ(texts(one_element_a_block(set(SetKind::must_write, twice, may_overlap))), "");
}
TEST_F(Parts, BoxesThatOverlapWithoutSayingSo) {
  const auto twice = [](const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
    first_of_block(values, part, sink);
    first_of_block(values, part, sink);
  };
  const Findings found = one_element_a_block(set(SetKind::must_write, twice, exact));
  EXPECT_GT(count(found, DifferenceKind::bad_footprint), 0u);
}

TEST(Values, SignsFieldsAndSymbols) {
  HandModel hand({2, 3, 4}, {5, 6, 7});
  hand.add_scalar(-3);
  const runtime::verify::BoundModel bound(hand.launch());
  const std::vector<std::int64_t> expected{2, 3, 4, 5, 6, 7, -3};
  EXPECT_EQ(std::vector<std::int64_t>(bound.values(), bound.values() + 7), expected);
  EXPECT_EQ(bound.launch_text(), "grid (2,3,4) block (5,6,7) arguments (-3)");
}

TEST(Report, CountsAndSums) {
  HandModel hand({grid, 1, 1}, {1, 1, 1});
  const std::uintptr_t a = hand.add_memory(4 * grid);
  for (std::uint32_t b = 0; b < grid; ++b) hand.touch({b, 0, 0}, RecordedKind::read, a + 4 * b, 4);
  hand.add_array("a", a, 4, {set(SetKind::write_same, nullptr)});
  const Findings found = hand.compare();
  runtime::verify::Report report;
  abi::Kernel other{};
  other.name = "other";
  report.add_unmodelled(other);
  EXPECT_EQ(report.summary(),
            "gridspan verify: 1 launch, 0 sets, 0 differences, 1 launch not modelled");
  ::testing::internal::CaptureStderr();
  report.add(runtime::verify::BoundModel(hand.launch()), found);
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 3) << told;  // of many alike
  EXPECT_TRUE(told.starts_with(
      "kernel.cu:10:5: error: kernel 'hand' differs from its model: array a: block (0,0,0) reads "
      "a[0] (byte 0), 4 bytes in all, which no read set of the block holds; grid (6,1,1) block "
      "(1,1,1) arguments (0x100000)\n"))
      << told;
  EXPECT_EQ(report.differences(), found.differences.size());
  EXPECT_GT(report.differences(), grid);
}

TEST(ChooseParts, LieInTheGridAndDependOnTheSeed) {
  const abi::Dim whole{40, 3, 1};
  const auto parts = runtime::verify::choose_parts(whole, 1);
  EXPECT_GE(parts.size(), 5u);
  EXPECT_EQ(parts.front().blocks(), 120u);
  for (const auto& part : parts) {
    EXPECT_TRUE(part.first.x <= part.last.x && part.last.x < whole.x);
    EXPECT_TRUE(part.first.y <= part.last.y && part.last.y < whole.y);
    EXPECT_EQ(part.last.z, 0u);
    EXPECT_GT(part.blocks(), 1u);
  }
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    const auto others = runtime::verify::choose_parts(whole, seed);
    differs |= others.size() != parts.size() || others[1].last.x != parts[1].last.x;
  }
  EXPECT_TRUE(differs);
  EXPECT_TRUE(runtime::verify::choose_parts({1, 1, 1}, 1).empty());
}

}  // namespace

}  // namespace gridspan::tests::verify_parts
