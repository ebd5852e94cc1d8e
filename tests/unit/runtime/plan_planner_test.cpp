// Plans that are kept, and launches whose memory is not all known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/planner.h"

#include "plan_split_fixture.h"

namespace gridspan::tests {

using namespace planning;

namespace {

class Planning : public PlanTest {
 protected:
  Planner planner{buffers, Machine({1, 1, 1})};
};

TEST_F(Planning, TheSameLaunchHasTheSamePlans) {
  ModelledKernel kernel("own", 1, 1);
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  const void *a = allocate(4 * n), *b = allocate(4 * n);
  const auto first = planner.plan(kernel.command(grid, block, {a}, {n}));
  EXPECT_EQ(planner.plan(kernel.command(grid, block, {a}, {n})), first);
  EXPECT_EQ(planner.plans_made(), 1u);
  EXPECT_NE(planner.plan(kernel.command(grid, block, {b}, {n})), first);
  EXPECT_NE(planner.plan(kernel.command(grid, block, {a}, {n - 1})), first);
  EXPECT_NE(planner.plan(kernel.command({11, 1, 1}, block, {a}, {n})), first);
  EXPECT_NE(planner.plan(kernel.command(grid, {16, 2, 1}, {a}, {n})), first);
  EXPECT_EQ(planner.plans_made(), 5u);
  planner.forget_plans();
  planner.plan(kernel.command(grid, block, {a}, {n}));
  EXPECT_EQ(planner.plans_made(), 6u);
}

TEST_F(Planning, OfVeryManyTheOldestAreForgotten) {
  ModelledKernel kernel("own", 1, 1);
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  const void* a = allocate(4 * 2000);
  const auto plan = [&](std::int32_t count) {
    planner.plan(kernel.command(grid, block, {a}, {count}));
    return planner.plans_made();
  };
  for (std::int32_t i = 0; i < 1025; ++i) plan(i + 1);
  EXPECT_EQ(plan(1025), 1025u);
  EXPECT_EQ(plan(2), 1025u);
  EXPECT_EQ(plan(1), 1026u);  // in place of 2
  EXPECT_EQ(plan(3), 1026u);
  EXPECT_EQ(plan(2), 1027u);
}

TEST_F(Planning, ArgumentsTheModelDoesNotLookAtMakeNoNewPlan) {
  ModelledKernel kernel("own", 1, 2);
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  kernel.model().scalar_count = 1;  // the second number goes into values only
  const void* a = allocate(4 * n);
  const auto first = planner.plan(kernel.command(grid, block, {a}, {n, 1}));
  EXPECT_EQ(planner.plan(kernel.command(grid, block, {a}, {n, 2})), first);
  EXPECT_NE(planner.plan(kernel.command(grid, block, {a}, {n - 1, 2})), first);
  EXPECT_EQ(planner.plans_made(), 2u);
}

TEST_F(Planning, WhatHidesMemoryRunsAtHome) {
  ModelledKernel kernel("hidden", 1, 1);
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  const void* a = allocate(4 * n);
  for (const std::uint32_t obstacle :
       {abi::obstacle_loaded_pointer, abi::obstacle_unknown_pointer, abi::obstacle_device_malloc,
        abi::obstacle_call, abi::obstacle_assembly, abi::obstacle_too_complex}) {
    kernel.model().obstacles = obstacle;
    planner.forget_plans();
    const auto plans = planner.plan(kernel.command(grid, block, {a}, {n}));
    ASSERT_EQ(plans->ways.size(), 1u);
    EXPECT_TRUE(plans->ways[0].touches_everything);
    EXPECT_EQ(plans->ways[0].rung, Rung::one_device);
    EXPECT_FALSE(plans->ways[0].why.empty());
  }
}

TEST_F(Planning, WithoutAModelEverythingIsAtHome) {
  ModelledKernel kernel("unknown", 1, 1);
  abi::Kernel bare = kernel.get();
  bare.model = nullptr;
  const void* a = allocate(64);
  std::int32_t number = n;
  void* values[] = {&a, &number};
  const KernelCommand command(bare, {}, {grid, block, 0}, values);
  EXPECT_TRUE(planner.plan(command)->ways[0].touches_everything);
}

TEST_F(Planning, MemoryThatIsNotOursIsReachedFromHomeOnly) {
  ModelledKernel kernel("own", 1, 1);
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  const void* stranger = reinterpret_cast<const void*>(std::uintptr_t{0x10});
  const auto plans = planner.plan(kernel.command(grid, block, {stranger}, {n}));
  EXPECT_TRUE(plans->ways[0].touches_everything);
}

TEST_F(Planning, PointersOfAllArraysAreMoved) {
  ModelledKernel kernel("pointers", 3, 1);
  kernel.array(4, {set(SetKind::read, own_element, exact)});
  kernel.array(4, {set(SetKind::read, own_element, exact)});
  kernel.array(4, {set(SetKind::must_write, own_element, exact)});
  const char* a = static_cast<const char*>(allocate(8 * n));
  const void* shared = allocate(4 * n, MemoryKind::managed);
  const auto plans = planner.plan(kernel.command(grid, block, {a, shared, a + 4 * n}, {n}));
  const LaunchPlan& plan = plans->ways[0];
  ASSERT_EQ(plan.pointers.size(), 2u);
  EXPECT_EQ(plan.pointers[0].offset, 0u);
  EXPECT_EQ(plan.pointers[1].offset, 16u);
  EXPECT_TRUE(plan.keeps_order);  // the host sees the managed one
}

}  // namespace

}  // namespace gridspan::tests
