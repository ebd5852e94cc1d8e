// Footprints of parts under one access; compared with brute force.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prove_fixture.h"

namespace gridspan::model::test {
namespace {

TEST_F(Prove, GuardedVector) {
  with_offsets().argument("n", -2, 20);
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) {
    if (global_x(l, b, t) < l["n"]) emit({global_x(l, b, t)});
  };
  const std::string relation = "[o_x, threadIdx_x] -> A[o_x + threadIdx_x] : o_x + threadIdx_x < n";
  kernel.read("in", relation, body);
  kernel.write("out", relation, body);
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_TRUE(kernel.set("in", SetKind::read).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  // Blocks that differ in y do the same.
  EXPECT_TRUE(kernel.kernel.axes[1].legal.is_empty());
  EXPECT_NE(kernel.kernel.axes[1].reason, "");
  EXPECT_EQ(kernel.kernel.rung, Rung::exact);
  EXPECT_EQ(kernel.kernel.suggested_axis, 0);
  EXPECT_EQ(kernel.kernel.axes[0].cost, "nothing");
  EXPECT_EQ(kernel.set("out", SetKind::must_write).pieces.front().image.n_basic_set(), 1U);
}

TEST_F(Prove, RowMajorMatrix) {
  with_offsets(true).argument("n", 0, 12).argument("m", 0, 12);
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) {
    const long x = global_x(l, b, t), y = global_y(l, b, t);
    if (x < l["m"] && y < l["n"]) emit({y, x});
  };
  const std::string relation =
      "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[o_y + threadIdx_y, o_x + threadIdx_x] : o_x + "
      "threadIdx_x < m and o_y + threadIdx_y < n";
  kernel.write("out", relation, body);
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_TRUE(always(kernel.kernel.axes[1].legal));
  EXPECT_TRUE(kernel.kernel.axes[2].legal.is_empty());
  EXPECT_EQ(kernel.kernel.suggested_axis, 1);  // whole rows
}

TEST_F(Prove, TwoElementsAThread) {
  with_offsets().argument("n", 0, 40);
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) {
    for (long j = 0; j < 2; ++j) {
      const long i = 2 * global_x(l, b, t) + j;
      if (i < l["n"]) emit({i});
    }
  };
  kernel.loop("j").write("out",
                         "[o_x, threadIdx_x, j] -> A[2o_x + 2threadIdx_x + j] : j <= 1 and 2o_x + "
                         "2threadIdx_x + j < n",
                         body);
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
}

TEST_F(Prove, OneElementABlock) {
  kernel.write("out", "[blockIdx_x, threadIdx_x] -> A[blockIdx_x] : threadIdx_x = 0",
               [](auto&, auto& b, auto& t, auto& emit) {
                 if (t[0] == 0) emit({b[0]});
               });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_EQ(kernel.kernel.rung, Rung::exact);
}

TEST_F(Prove, Triangle) {
  with_offsets().argument("n", 0, 12).loop("j");
  kernel.write("out",
               "[o_x, threadIdx_x, j] -> A[o_x + threadIdx_x, j] : j <= o_x + threadIdx_x < n",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 const long i = global_x(l, b, t);
                 for (long j = 0; i < l["n"] && j <= i; ++j) emit({i, j});
               });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
}

TEST_F(Prove, Checkerboard) {
  with_offsets(true).argument("n", 0, 12).argument("color", 0, 1);
  kernel.write(
      "out",
      "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[o_y + threadIdx_y, o_x + threadIdx_x] : o_x + "
      "threadIdx_x < n and o_y + threadIdx_y < n and (o_x + threadIdx_x + o_y + threadIdx_y "
      "+ color) mod 2 = 0",
      [](auto& l, auto& b, auto& t, auto& emit) {
        const long x = global_x(l, b, t), y = global_y(l, b, t);
        if (x < l["n"] && y < l["n"] && (x + y + l["color"]) % 2 == 0) emit({y, x});
      });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_TRUE(always(kernel.kernel.axes[1].legal));
}

TEST_F(Prove, EverySecondElement) {
  with_offsets().argument("n", 0, 30);
  kernel.write("out", "[o_x, threadIdx_x] -> A[2o_x + 2threadIdx_x + 1] : o_x + threadIdx_x < n",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 const long x = global_x(l, b, t);
                 if (x < l["n"]) emit({2 * x + 1});
               });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
}

}  // namespace
}  // namespace gridspan::model::test
