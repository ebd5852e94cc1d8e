// Kinds of sets and rungs of the ladder; limits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prove_fixture.h"

namespace gridspan::model::test {
namespace {

TEST_F(Prove, HistogramIsAReduction) {
  with_offsets().argument("n", 0, 20);
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) {
    const long x = global_x(l, b, t);
    if (x < l["n"]) emit({x});
  };
  kernel.read("in", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x] : o_x + threadIdx_x < n", body);
  Access& bins = kernel.access(
      "bins", AccessKind::reduction, "[o_x, threadIdx_x] -> A[i] : 0 <= i < 16",
      [](auto& l, auto& b, auto& t, auto& emit) { emit({(global_x(l, b, t) * 7) % 16}); }, false);
  bins.op = ReductionOp::add;
  kernel.check();
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_EQ(kernel.kernel.rung, Rung::reduction);
  EXPECT_EQ(kernel.set("bins", SetKind::reduction).op, ReductionOp::add);
  kernel.array("bins").accesses[0].unbounded = true;
  kernel.array("bins").accesses[0].relation = {};
  kernel.prove();
  EXPECT_TRUE(kernel.set("bins", SetKind::reduction).unbounded);
  EXPECT_EQ(kernel.kernel.rung, Rung::reduction);
}

TEST_F(Prove, TwoOperationsOnOneArrayCollide) {
  const Body body = [](auto&, auto&, auto&, auto& emit) { emit({0}); };
  kernel.access("sum", AccessKind::reduction, "[blockIdx_x] -> A[0]", body).op = ReductionOp::add;
  kernel.access("sum", AccessKind::reduction, "[blockIdx_x] -> A[0]", body).op = ReductionOp::max;
  kernel.check();
  EXPECT_TRUE(kernel.kernel.axes[0].legal.is_empty());
  EXPECT_EQ(kernel.kernel.rung, Rung::one_device);
}

TEST_F(Prove, TwoWidthsOnOneArrayCollide) {
  const Body body = [](auto&, auto&, auto&, auto& emit) { emit({0}); };
  kernel.access("sum", AccessKind::reduction, "[blockIdx_x] -> A[0]", body).op = ReductionOp::add;
  Access& wide = kernel.access("sum", AccessKind::reduction, "[blockIdx_x] -> A[0]", body);
  wide.op = ReductionOp::add;
  wide.bytes = 8;
  kernel.check();
  EXPECT_TRUE(kernel.kernel.axes[0].legal.is_empty());
  ASSERT_EQ(kernel.array("sum").sets.size(), 2u);
  EXPECT_EQ(kernel.array("sum").sets[0].update_bytes, 4u);
  EXPECT_EQ(kernel.array("sum").sets[1].update_bytes, 8u);
}

TEST_F(Prove, CountsUpToALimitCollide) {
  const Body body = [](auto&, auto&, auto&, auto& emit) { emit({0}); };
  kernel.access("sum", AccessKind::reduction, "[blockIdx_x] -> A[0]", body).op =
      ReductionOp::increment;
  kernel.check();
  EXPECT_TRUE(kernel.kernel.axes[0].legal.is_empty());
  EXPECT_EQ(kernel.kernel.rung, Rung::one_device);
}

TEST_F(Prove, FlagOfAllBlocksIsWriteSame) {
  const Body body = [](auto&, auto&, auto&, auto& emit) { emit({0}); };
  kernel.write("flag", "[blockIdx_x] -> A[0]", body).same_value = true;
  kernel.check();
  EXPECT_EQ(kernel.array("flag").sets[0].kind, SetKind::write_same);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_EQ(kernel.kernel.rung, Rung::may_write);
  // A second write of who knows what collides; one of the same does not.
  kernel.array("flag").accesses[0].stored_value = "1";
  kernel.write("flag", "[blockIdx_x] -> A[0]", body).same_value = true;
  kernel.check();
  EXPECT_TRUE(kernel.kernel.axes[0].legal.is_empty());
  kernel.array("flag").accesses[1].stored_value = "1";
  kernel.check();
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
}

TEST_F(Prove, FillIsAnOrdinaryWrite) {
  with_offsets();
  kernel
      .write("out", "[o_x, threadIdx_x, blockIdx_x] -> A[o_x + threadIdx_x]",
             [](auto& l, auto& b, auto& t, auto& emit) { emit({global_x(l, b, t)}); })
      .same_value = true;
  // The kernel knows of x only.
  std::erase_if(kernel.kernel.dimensions, [](auto& d) { return d.axis != 0; });
  kernel.check();
  EXPECT_EQ(kernel.array("out").sets[0].kind, SetKind::must_write);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_EQ(kernel.kernel.rung, Rung::exact);
}

TEST_F(Prove, ConditionalWriteIsAMayWrite) {
  with_offsets();
  Access& write = kernel.access(
      "out", AccessKind::write, "[o_x, threadIdx_x] -> A[o_x + threadIdx_x]",
      [](auto& l, auto& b, auto& t, auto& emit) {
        if (global_x(l, b, t) % 3 == 0) emit({global_x(l, b, t)});
      },
      false);
  write.reason = "depends on data";
  kernel.check();
  EXPECT_EQ(kernel.array("out").sets[0].kind, SetKind::may_write);
  EXPECT_EQ(kernel.kernel.rung, Rung::may_write);
  EXPECT_NE(kernel.kernel.rung_reason.find("depends on data"), std::string::npos);
}

TEST_F(Prove, ScatteredWrite) {
  with_offsets();
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) { emit({global_x(l, b, t)}); };
  kernel.write("out", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x]", body);
  Access& write = kernel.write("out", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x]", body);
  write.unbounded = true;
  write.exact = false;
  write.relation = {};
  write.reason = "subscript is loaded";
  kernel.prove();
  EXPECT_EQ(kernel.kernel.rung, Rung::scattered);
  EXPECT_TRUE(kernel.kernel.axes[0].legal.is_empty());
  EXPECT_NE(kernel.kernel.axes[0].reason.find("subscript is loaded"), std::string::npos);
  kernel.read("out", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x]", body);
  kernel.prove();
  EXPECT_EQ(kernel.kernel.rung, Rung::one_device);
  EXPECT_TRUE(kernel.kernel.axes[0].read_write_overlap);
}

TEST_F(Prove, AtomicsOnOneDevice) {
  kernel.access("lock", AccessKind::atomic, "[blockIdx_x] -> A[blockIdx_x]",
                [](auto&, auto& b, auto&, auto& emit) { emit({b[0]}); });
  kernel.check();
  EXPECT_TRUE(kernel.kernel.axes[0].legal.is_empty());
  EXPECT_EQ(kernel.kernel.rung, Rung::one_device);
}

TEST_F(Prove, SharedArraysAreLeftAlone) {
  kernel.write("tile", "[blockIdx_x] -> A[0]", [](auto&, auto&, auto&, auto&) {});
  kernel.array("tile").space = AddressSpace::shared;
  kernel.prove();
  EXPECT_TRUE(kernel.array("tile").sets.empty());
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
}

TEST_F(Prove, GivingUpIsSafe) {
  with_offsets(true).argument("n", 0, 12);
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) {
    const long x = global_x(l, b, t), y = global_y(l, b, t);
    if (x < l["n"] && y < l["n"]) emit({y, x});
  };
  const std::string relation =
      "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[o_y + threadIdx_y, o_x + threadIdx_x] : o_x + "
      "threadIdx_x < n and o_y + threadIdx_y < n";
  kernel.read("in", relation, body);
  kernel.write("out", relation, body);
  for (unsigned long operations : {10UL, 300UL, 3000UL, 10000UL, 20000UL, 50000UL}) {
    prove(kernel.kernel, {operations});
    for (const Array& array : kernel.kernel.arrays) {
      ASSERT_EQ(array.sets.size(), 1U);
      if (array.sets[0].unbounded) EXPECT_NE(array.sets[0].kind, SetKind::must_write);
    }
    if (kernel.kernel.axes[0].legal.is_empty()) EXPECT_NE(kernel.kernel.axes[0].reason, "");
  }
  for (unsigned long operations : {0UL, 1000UL, 20000UL, 100000UL}) {
    prove(kernel.kernel, {200'000, operations});
    EXPECT_EQ(kernel.array("out").sets.size(), 1U);
  }
  prove(kernel.kernel, {10});
  EXPECT_TRUE(kernel.kernel.axes[0].legal.is_empty());
  EXPECT_TRUE(kernel.kernel.axes[0].read_write_overlap == false);  // different arrays
}

TEST_F(Prove, WhatIsWrittenIsLookedAtFirst) {
  with_offsets(true).argument("n", 0, 12);
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) {
    const long x = global_x(l, b, t), y = global_y(l, b, t);
    if (x < l["n"] && y < l["n"]) emit({y, x});
  };
  const std::string inputs = "[o_x, o_y, threadIdx_x, threadIdx_y] -> ";
  const std::string guard = " : o_x + threadIdx_x < n and o_y + threadIdx_y < n";
  for (const char* shift : {"1", "2", "3", "4", "5", "6"})
    kernel.read("in", inputs + "A[o_y + threadIdx_y, o_x + threadIdx_x + " + shift + "]" + guard,
                body);
  kernel.write("out", inputs + "A[o_y + threadIdx_y, o_x + threadIdx_x]" + guard, body);
  const auto exact_with = [&](unsigned long operations) {
    prove(kernel.kernel, {200'000, operations});
    return std::pair(kernel.array("out").sets[0].exact_part, kernel.array("in").sets[0].exact_part);
  };
  EXPECT_EQ(exact_with(1'000), std::pair(false, false));
  EXPECT_EQ(exact_with(35'000), std::pair(true, false));
  EXPECT_EQ(exact_with(1'000'000), std::pair(true, true));
}

TEST_F(Prove, ObstaclesForbidCuts) {
  with_offsets();
  kernel.write("out", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x]",
               [](auto& l, auto& b, auto& t, auto& emit) { emit({global_x(l, b, t)}); });
  kernel.kernel.remarks.push_back({Obstacle::printf, {"test.cu", 4, 1}, "prints"});
  kernel.prove();
  EXPECT_EQ(kernel.kernel.rung, Rung::exact);
  kernel.kernel.remarks.push_back({Obstacle::atomic_result, {"test.cu", 5, 1}, "exchanges"});
  kernel.prove();
  EXPECT_EQ(kernel.kernel.rung, Rung::one_device);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  kernel.kernel.remarks.push_back({Obstacle::loaded_pointer, {"test.cu", 6, 1}, "follows"});
  kernel.prove();
  EXPECT_EQ(kernel.kernel.rung, Rung::one_device);
  EXPECT_EQ(kernel.kernel.rung_reason, "follows");
  EXPECT_EQ(kernel.kernel.suggested_axis, -1);
  for (const AxisSplit& axis : kernel.kernel.axes) {
    EXPECT_TRUE(axis.legal.is_empty());
    EXPECT_EQ(axis.reason, "follows");
    EXPECT_EQ(axis.reason_where.line, 6U);
  }
}

}  // namespace
}  // namespace gridspan::model::test
