// Who updates an element itself, and who a private copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_split_fixture.h"
#include "runtime/plan/plan_cost.h"

namespace gridspan::tests::plan_reduction_split {

using namespace gridspan::runtime;
using abi::ReductionOp;
using regions::Box;
using regions::byte_range;
using namespace planning;

namespace {

using Boxes = std::vector<Box>;

abi::ModelSet updates(abi::FootprintFunction footprint, ReductionOp op = ReductionOp::add,
                      std::uint32_t bytes = 4) {
  abi::ModelSet made = set(SetKind::reduction, footprint, exact, op);
  made.update_bytes = bytes;
  return made;
}

class PrivateCopies : public PlanTest {
 protected:
  /// The best plan of a kernel with these sets on one array.
  LaunchPlan plan_of(std::vector<abi::ModelSet> sets, std::uint32_t element_bytes = 4) {
    ModelledKernel kernel("reduction", 1, 1);
    kernel.array(element_bytes, std::move(sets));
    return best(kernel.command(grid, block, {memory}, {n}));
  }
  const std::vector<PrivateCopy>& copies(const LaunchPlan& plan, std::size_t part) {
    return use(plan, part, memory).private_copies;
  }
  const void* memory = allocate(4 * n);
};

TEST_F(PrivateCopies, TheFirstPartUpdatesTheSumItself) {
  const LaunchPlan plan = plan_of({updates(first_element)});
  EXPECT_EQ(plan.rung, Rung::reduction) << plan.why;
  ASSERT_EQ(plan.parts.size(), 3u);
  EXPECT_EQ(use(plan, 0, memory).writes, Boxes{byte_range(0, 4)});
  EXPECT_EQ(use(plan, 0, memory).reads, Boxes{byte_range(0, 4)});  // it starts from the old value
  EXPECT_TRUE(copies(plan, 0).empty());
  for (std::size_t part = 1; part < 3; ++part) {
    const BufferUse& own = use(plan, part, memory);
    EXPECT_TRUE(own.reads.empty() && own.writes.empty());
    ASSERT_EQ(own.private_copies.size(), 1u);
    EXPECT_EQ(own.private_copies[0].target, 0u);
    EXPECT_EQ(own.private_copies[0].op, ReductionOp::add);
    EXPECT_EQ(own.private_copies[0].boxes, Boxes{byte_range(0, 4)});
    EXPECT_EQ(own.private_copies[0].bytes, 4);
    EXPECT_EQ(own.changed, Boxes{byte_range(0, 4)});
  }
}

TEST_F(PrivateCopies, OnlyWhatPartsShareIsPrivate) {
  const LaunchPlan plan = plan_of({updates(with_neighbours)});
  EXPECT_EQ(plan.rung, Rung::reduction);
  // Parts of 128 elements, each updates one more on both sides.
  EXPECT_EQ(use(plan, 0, memory).writes, Boxes{byte_range(0, 4 * 129)});
  EXPECT_EQ(use(plan, 1, memory).writes, Boxes{byte_range(4 * 129, 4 * 257)});
  EXPECT_EQ(use(plan, 2, memory).writes, Boxes{byte_range(4 * 257, 4 * n)});
  ASSERT_EQ(copies(plan, 1).size(), 1u);
  EXPECT_EQ(copies(plan, 1)[0].boxes, Boxes{byte_range(4 * 127, 4 * 129)});
  EXPECT_EQ(copies(plan, 1)[0].target, 0u);
  ASSERT_EQ(copies(plan, 2).size(), 1u);
  EXPECT_EQ(copies(plan, 2)[0].boxes, Boxes{byte_range(4 * 255, 4 * 257)});
  EXPECT_EQ(copies(plan, 2)[0].target, 1u);
}

TEST_F(PrivateCopies, OnePartMayNeedCopiesOfSeveral) {
  const auto far = [](const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
    emit(sink, std::max<std::int64_t>(first_thread(values, part) - 200, 0),
         last_thread(values, part));
  };
  const LaunchPlan plan = plan_of({updates(far)});
  ASSERT_EQ(copies(plan, 2).size(), 2u);  // of elements 56 to 127 and 128 to 255
  EXPECT_EQ(copies(plan, 2)[0].boxes, Boxes{byte_range(4 * 56, 4 * 128)});
  EXPECT_EQ(copies(plan, 2)[0].target, 0u);
  EXPECT_EQ(copies(plan, 2)[1].boxes, Boxes{byte_range(4 * 128, 4 * 256)});
  EXPECT_EQ(copies(plan, 2)[1].target, 1u);
}

TEST_F(PrivateCopies, OwnElementsNeedNoCopies) {
  const LaunchPlan plan = plan_of({updates(own_element)});
  EXPECT_EQ(plan.rung, Rung::exact) << plan.why;
  for (std::size_t part = 0; part < 3; ++part) EXPECT_TRUE(copies(plan, part).empty());
}

TEST_F(PrivateCopies, WithoutBoundsTheWholeBufferIsCopied) {
  const LaunchPlan plan = plan_of({updates(nullptr)});
  EXPECT_EQ(plan.rung, Rung::reduction);
  ASSERT_EQ(copies(plan, 2).size(), 1u);
  EXPECT_EQ(copies(plan, 2)[0].bytes, 4 * n);
}

TEST_F(PrivateCopies, HalfElementsAtTheEndAreNobodys) {
  memory = allocate(4 * 100 + 3);
  const LaunchPlan plan = plan_of({updates(nullptr, ReductionOp::float_add, 8)}, 8);
  ASSERT_EQ(copies(plan, 1).size(), 1u);
  EXPECT_EQ(copies(plan, 1)[0].boxes, Boxes{byte_range(0, 400)});
}

TEST_F(PrivateCopies, ElementsAreNotCut) {
  // Boxes of 4-byte elements, updated eight bytes at a time.
  EXPECT_EQ(plan_of({updates(first_element, ReductionOp::add, 8)}).rung, Rung::one_device);
}

TEST_F(PrivateCopies, OneOperationOfOneWidthAtATime) {
  using enum ReductionOp;
  const auto two = [&](ReductionOp a, std::uint32_t a_bytes, ReductionOp b, std::uint32_t b_bytes) {
    return plan_of({updates(nullptr, a, a_bytes), updates(nullptr, b, b_bytes)}).rung;
  };
  EXPECT_EQ(two(add, 4, add, 4), Rung::reduction);
  EXPECT_EQ(two(add, 4, float_add, 4), Rung::one_device);
  EXPECT_EQ(two(add, 4, add, 8), Rung::one_device);
  EXPECT_EQ(two(min, 4, unsigned_min, 4), Rung::one_device);
  for (const ReductionOp op : {none, increment, decrement}) {
    EXPECT_EQ(plan_of({updates(nullptr, op)}).rung, Rung::one_device);
  }
}

TEST_F(PrivateCopies, OperationsOnDifferentElementsGoTogether) {
  const auto second = [](const std::int64_t*, const std::int64_t*, abi::BoxSink* sink) {
    emit(sink, 1, 1);
  };
  const LaunchPlan plan =
      plan_of({updates(first_element), updates(second, ReductionOp::float_max)});
  EXPECT_EQ(plan.rung, Rung::reduction);
  ASSERT_EQ(copies(plan, 1).size(), 2u);
  EXPECT_EQ(copies(plan, 1)[0].boxes, Boxes{byte_range(0, 4)});
  EXPECT_EQ(copies(plan, 1)[1].boxes, Boxes{byte_range(4, 8)});
  EXPECT_EQ(copies(plan, 1)[1].op, ReductionOp::float_max);
}

TEST_F(PrivateCopies, WhoReadsOrWritesThemKeepsThemTogether) {
  for (const SetKind kind : {SetKind::read, SetKind::must_write, SetKind::atomic}) {
    const LaunchPlan plan = plan_of({updates(first_element), set(kind, first_element, exact)});
    EXPECT_EQ(plan.rung, Rung::one_device);
    EXPECT_FALSE(plan.why.empty());
  }
  // Elsewhere in the buffer all may read and write.
  const auto rest = [](const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
    emit(sink, std::max<std::int64_t>(1, first_thread(values, part)), last_thread(values, part));
  };
  EXPECT_EQ(plan_of({updates(first_element), set(SetKind::must_write, rest, exact)}).rung,
            Rung::reduction);
}

TEST_F(PrivateCopies, ManyBoxesBecomeOne) {
  const auto strided = [](const std::int64_t*, const std::int64_t*, abi::BoxSink* sink) {
    for (std::int64_t i = 0; i < 100; ++i) emit(sink, 3 * i, 3 * i);
  };
  const LaunchPlan plan = plan_of({updates(strided)});
  ASSERT_EQ(copies(plan, 1).size(), 1u);
  EXPECT_EQ(copies(plan, 1)[0].boxes, Boxes{byte_range(0, 4 * 298)});
  // Unless something else lies between them.
  const auto between = [](const std::int64_t*, const std::int64_t*, abi::BoxSink* sink) {
    emit(sink, 4, 4);
  };
  EXPECT_EQ(plan_of({updates(strided), set(SetKind::read, between, exact)}).rung, Rung::one_device);
}

TEST_F(PrivateCopies, SharedMemoryIsUpdatedInPlace) {
  memory = allocate(4 * n, MemoryKind::managed);
  const LaunchPlan plan = plan_of({updates(first_element)});
  EXPECT_EQ(plan.parts.size(), 3u);
  for (const PartPlan& part : plan.parts) EXPECT_TRUE(part.uses.empty());
}

TEST_F(PrivateCopies, ToStayTogetherIsTheLastWay) {
  ModelledKernel kernel("sum", 2, 1);
  kernel.array(4, {set(SetKind::read, own_element, exact)}).array(4, {updates(first_element)});
  const std::vector<LaunchPlan> plans =
      ways(kernel.command(grid, block, {allocate(4 * n), memory}, {n}), 3);
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[1].rung, Rung::one_device);
  // A block reads 32 elements and updates one; three devices have four blocks each.
  EXPECT_EQ(plans[0].work, 4 * 33 * 4);
  EXPECT_EQ(plans[1].work, 12 * 33 * 4);
  EXPECT_EQ(shared_bytes(plans[0]), 2 * 4);
  const Machine machine({1, 1, 1});
  EXPECT_GT(moving_cost(plans[0], machine), moving_cost(plans[1], machine));
}

}  // namespace

}  // namespace gridspan::tests::plan_reduction_split
