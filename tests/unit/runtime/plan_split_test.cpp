// How launches of hand-made models are split: rung, parts, what each part has and leaves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_split_fixture.h"

namespace gridspan::tests {

using namespace gridspan::runtime;
using regions::Box;
using regions::byte_range;
using namespace planning;

namespace {

class Split : public PlanTest {};

std::int64_t bytes_in(const std::vector<Box>& boxes) {
  std::int64_t bytes = 0;
  for (const Box& box : boxes) bytes += box.volume();
  return bytes;
}

TEST_F(Split, OwnElementsAreExact) {
  ModelledKernel kernel("own", 1, 1);
  kernel.array(
      4, {set(SetKind::read, own_element, exact), set(SetKind::must_write, own_element, exact)});
  const void* a = allocate(4 * n);
  const LaunchPlan plan = best(kernel.command(grid, block, {a}, {n}));
  EXPECT_EQ(plan.rung, Rung::exact) << plan.why;
  ASSERT_EQ(plan.parts.size(), 3u);
  std::int64_t next = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    EXPECT_EQ(plan.parts[part].device, part);
    const BufferUse& own = use(plan, part, a);
    ASSERT_EQ(own.writes.size(), 1u);
    EXPECT_EQ(own.writes[0][0].begin, next);
    EXPECT_EQ(own.reads, own.writes);
    EXPECT_TRUE(own.merges.empty());
    next = own.writes[0][0].end;
  }
  EXPECT_EQ(next, 4 * n);
}

TEST_F(Split, NeighboursAreReadAndMoved) {
  ModelledKernel kernel("stencil", 2, 1);
  kernel.array(4, {set(SetKind::read, with_neighbours, exact)});
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  const void *in = allocate(4 * n), *out = allocate(4 * n);
  const LaunchPlan plan = best(kernel.command(grid, block, {in, out}, {n}));
  EXPECT_EQ(plan.rung, Rung::exact);
  EXPECT_EQ(use(plan, 1, in).reads, (std::vector<Box>{byte_range(4 * 127, 4 * 257)}));
  EXPECT_EQ(use(plan, 1, out).writes, (std::vector<Box>{byte_range(4 * 128, 4 * 256)}));
  EXPECT_TRUE(use(plan, 1, out).reads.empty());  // all of it is written
}

TEST_F(Split, ReadingWhatOthersWriteIsAllowedWithoutFencesOnly) {
  ModelledKernel kernel("in place", 1, 1);
  kernel.array(4, {set(SetKind::read, with_neighbours, exact),
                   set(SetKind::must_write, own_element, exact)});
  const void* a = allocate(4 * n);
  EXPECT_EQ(best(kernel.command(grid, block, {a}, {n})).parts.size(), 3u);
  kernel.model().obstacles = abi::obstacle_fence;
  const LaunchPlan plan = best(kernel.command(grid, block, {a}, {n}));
  EXPECT_EQ(plan.rung, Rung::one_device);
  EXPECT_EQ(plan.parts.size(), 1u);
  EXPECT_NE(plan.why.find("parts read elements that others write"), std::string::npos) << plan.why;
}

TEST_F(Split, MayWritesNeedTheOldValues) {
  ModelledKernel kernel("perhaps", 1, 1);
  kernel.array(4, {set(SetKind::may_write, own_element)});
  const void* a = allocate(4 * n);
  const LaunchPlan plan = best(kernel.command(grid, block, {a}, {n}));
  EXPECT_EQ(plan.rung, Rung::may_write);
  EXPECT_EQ(use(plan, 2, a).reads, use(plan, 2, a).writes);
}

TEST_F(Split, WritesThatAreSureForOneBlockOnly) {
  ModelledKernel kernel("first of block", 1, 1);
  kernel.array(4, {set(SetKind::must_write, own_element, abi::set_exact_block)});
  const void* a = allocate(4 * n);
  EXPECT_EQ(best(kernel.command(grid, block, {a}, {n})).rung, Rung::may_write);
  EXPECT_EQ(best(kernel.command(grid, block, {a}, {n}), 12).rung, Rung::exact);  // one block each
}

TEST_F(Split, StridedWritesLeaveGaps) {
  ModelledKernel kernel("every second", 1, 1);
  const auto strided = [](const std::int64_t* values, const std::int64_t* part,
                          abi::BoxSink* sink) {
    emit(sink, 2 * first_thread(values, part), 2 * last_thread(values, part), 2);
  };
  kernel.array(4, {set(SetKind::must_write, strided, exact)});
  const void* a = allocate(8 * n);
  const LaunchPlan plan = best(kernel.command(grid, block, {a}, {n}));
  EXPECT_EQ(plan.rung, Rung::may_write);  // a box holds what is not written
  EXPECT_EQ(use(plan, 1, a).reads, use(plan, 1, a).writes);
}

class Conflicts : public Split {
 protected:
  LaunchPlan write(SetKind kind, bool injective, bool is_read) {
    ModelledKernel kernel("conflict", 1, 1);
    std::vector<abi::ModelSet> sets{set(kind, nullptr)};
    if (is_read) sets.push_back(set(SetKind::read, first_element, exact));
    kernel.array(4, sets);
    if (injective) kernel.model().axes[0] = {always_holds, 1, 0};
    return best(kernel.command(grid, block, {memory}, {n}));
  }
  const void* memory = allocate(4 * n);
};

TEST_F(Conflicts, UnboundedWritesAreMerged) {
  const LaunchPlan plan = write(SetKind::may_write, false, false);
  EXPECT_EQ(plan.rung, Rung::scattered);
  ASSERT_EQ(plan.parts.size(), 3u);
  for (std::size_t part = 0; part < 3; ++part) {
    EXPECT_EQ(bytes_in(use(plan, part, memory).merges), 4 * n);
    EXPECT_EQ(bytes_in(use(plan, part, memory).reads), 4 * n);  // to be compared with
    EXPECT_TRUE(use(plan, part, memory).writes.empty());
    EXPECT_EQ(use(plan, part, memory).merge_bytes, 4u);
  }
}
TEST_F(Conflicts, ReadersAmongThemNeedOneWriterAnElement) {
  EXPECT_EQ(write(SetKind::may_write, false, true).rung, Rung::one_device);
  EXPECT_EQ(write(SetKind::may_write, true, true).rung, Rung::scattered);
}
TEST_F(Conflicts, TheSameValueMayBeWrittenByAll) {
  EXPECT_EQ(write(SetKind::write_same, false, true).rung, Rung::scattered);
}
TEST_F(Conflicts, AtomicUpdatesStayTogether) {
  EXPECT_EQ(write(SetKind::reduction, true, false).rung, Rung::one_device);
  EXPECT_EQ(write(SetKind::atomic, true, false).rung, Rung::one_device);
}
TEST_F(Conflicts, AtomicUpdatesThatDoNotMeetAreSplit) {
  ModelledKernel kernel("own atomics", 1, 1);
  kernel.array(4, {set(SetKind::reduction, own_element, exact, abi::ReductionOp::add)});
  const LaunchPlan plan = best(kernel.command(grid, block, {memory}, {n}));
  EXPECT_EQ(plan.parts.size(), 3u);
  EXPECT_EQ(use(plan, 1, memory).reads, use(plan, 1, memory).writes);  // the old value counts
}

TEST_F(Split, OneBufferInTwoArgumentsIsOneMemory) {
  ModelledKernel kernel("aliased", 2, 1);
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  kernel.array(4, {set(SetKind::reduction, own_element, exact, abi::ReductionOp::add)});
  const char* a = static_cast<const char*>(allocate(8 * n));
  EXPECT_EQ(best(kernel.command(grid, block, {a, a + 4 * n}, {n})).parts.size(), 3u);
  // Shifted by one element, part k writes what part k - 1 updates.
  EXPECT_EQ(best(kernel.command(grid, block, {a, a + 4}, {n})).rung, Rung::one_device);
}

TEST_F(Split, UnitsOfMergingFitAllElements) {
  ModelledKernel kernel("two sizes", 2, 1);
  kernel.array(2, {set(SetKind::may_write, nullptr)});
  kernel.array(12, {set(SetKind::may_write, nullptr)});
  const char* a = static_cast<const char*>(allocate(64 * n));
  EXPECT_EQ(use(best(kernel.command(grid, block, {a, a + 1200}, {n})), 1, a).merge_bytes, 2u);
  ModelledKernel triples("triples", 1, 1);
  triples.array(12, {set(SetKind::may_write, nullptr)});
  EXPECT_EQ(use(best(triples.command(grid, block, {a}, {n})), 1, a).merge_bytes, 12u);
  EXPECT_EQ(use(best(triples.command(grid, block, {a + 256}, {n})), 1, a).merge_bytes, 4u);
  EXPECT_EQ(use(best(triples.command(grid, block, {a + 13}, {n})), 1, a).merge_bytes, 1u);
}

TEST_F(Split, SharedMemoryNeedsNoCopiesAndNoMerging) {
  ModelledKernel kernel("managed", 1, 1);
  kernel.array(4, {set(SetKind::may_write, nullptr)});
  const void* a = allocate(4 * n, MemoryKind::managed);
  const LaunchPlan plan = best(kernel.command(grid, block, {a}, {n}));
  EXPECT_EQ(plan.rung, Rung::exact);
  ASSERT_EQ(plan.parts.size(), 3u);
  for (const PartPlan& part : plan.parts) EXPECT_TRUE(part.uses.empty());
}

TEST_F(Split, GridBarriersStayTogether) {
  ModelledKernel kernel("barrier", 1, 1);
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  kernel.model().obstacles = abi::obstacle_grid_barrier;
  const LaunchPlan plan = best(kernel.command(grid, block, {allocate(4 * n)}, {n}));
  EXPECT_EQ(plan.rung, Rung::one_device);
  EXPECT_EQ(plan.parts[0].device, 0u);
  EXPECT_EQ(plan.parts[0].block_count.x, grid.x);
}

TEST_F(Split, AssumptionsThatDoNotHoldLeaveNoBounds) {
  static const std::uint32_t first = 0;
  ModelledKernel kernel("assuming", 1, 1);
  abi::ModelSet assuming = set(SetKind::must_write, own_element, exact);
  assuming.assumptions = &first;
  assuming.assumption_count = 1;
  kernel.array(4, {assuming});
  static abi::ModelAssumption assumption{
      [](const std::int64_t* values) { return values[6] > 100; }, "n > 100", {}};
  kernel.model().assumptions = &assumption;
  kernel.model().assumption_count = 1;
  const void* a = allocate(4 * n);
  EXPECT_EQ(best(kernel.command(grid, block, {a}, {n})).rung, Rung::exact);
  const LaunchPlan plan = best(kernel.command(grid, block, {a}, {100}));
  EXPECT_NE(plan.rung, Rung::exact);
  EXPECT_EQ(bytes_in(use(plan, 0, a).reads), 4 * n);
}

TEST_F(Split, NullPointersTouchNothing) {
  ModelledKernel kernel("optional", 2, 1);
  kernel.array(4, {set(SetKind::read, own_element, exact)});
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  const LaunchPlan plan = best(kernel.command(grid, block, {nullptr, allocate(4 * n)}, {n}));
  EXPECT_EQ(plan.rung, Rung::exact);
  EXPECT_EQ(plan.parts[0].uses.size(), 1u);
}

TEST_F(Split, FootprintsStayInTheBuffer) {
  ModelledKernel kernel("beyond", 1, 1);
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  const void* a = allocate(4 * 100);  // too small for n elements
  const LaunchPlan plan = best(kernel.command(grid, block, {a}, {n}));
  std::int64_t bytes = 0;
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& one : part.uses) {
      bytes += bytes_in(one.writes);
      for (const Box& box : one.writes) EXPECT_TRUE(one.view.whole().contains(box));
    }
  }
  EXPECT_EQ(bytes, 400);
}

/// Blocks (x, y) work on rows of a matrix; both axes may separate parts.
TEST_F(Split, EveryAxisThatMaySeparateIsAWay) {
  const auto tile = [](const std::int64_t* values, const std::int64_t* part, abi::BoxSink* sink) {
    const std::int64_t box[] = {part[1] * values[4], (part[4] + 1) * values[4] - 1, 1,
                                part[0] * values[3], (part[3] + 1) * values[3] - 1, 1};
    sink->take(sink, box);
  };
  ModelledKernel kernel("tiles", 1, 1);
  kernel.array(
      4, {set(SetKind::must_write, tile, exact)},
      [](const std::int64_t* values, std::int64_t* inner) { inner[0] = values[6]; }, 2);
  kernel.model().suggested_axis = 1;
  const void* a = allocate(4 * 96 * 40);
  const auto command = kernel.command({12, 10, 1}, {8, 4, 1}, {a}, {96});
  const std::vector<LaunchPlan> plans = ways(command, 3);
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0].parts[1].block_count.x, 12u);  // rows first: suggested
  EXPECT_EQ(plans[1].parts[1].block_count.y, 10u);
  for (const LaunchPlan& plan : plans) {
    std::int64_t bytes = 0;
    for (std::size_t part = 0; part < plan.parts.size(); ++part)
      bytes += bytes_in(use(plan, part, a).writes);
    EXPECT_EQ(bytes, 4 * 96 * 40);
  }
}

}  // namespace

}  // namespace gridspan::tests
