// Along which axes a grid may be cut, and what that costs; compared with brute force.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prove_fixture.h"

namespace gridspan::model::test {
namespace {

// isl compares dimensions by position: the two relations below are "plainly equal" to it.
TEST_F(Prove, DimensionsOfTheSamePlaceAreNotTheSame) {
  kernel.loop("k");
  kernel.write("sums",
               "[blockIdx_x, threadIdx_x] -> A[blockIdx_x] : threadIdx_x = 0 and 0 <= "
               "blockIdx_x < gridDim_x",
               [](auto&, auto& b, auto& t, auto& emit) {
                 if (t[0] == 0) emit({b[0]});
               });
  kernel.read("sums", "[k, threadIdx_x] -> A[k] : threadIdx_x = 0 and 0 <= k < gridDim_x",
              [](auto& l, auto&, auto& t, auto& emit) {
                for (long k = 0; t[0] == 0 && k < l.grid[0]; ++k) emit({k});
              });
  kernel.check();
}

TEST_F(Prove, StencilReadsAHalo) {
  with_offsets(true).argument("n", 2, 14);
  const auto inside = [](const Launch& l, long i) { return i >= 1 && i < l["n"] - 1; };
  const std::string guard = " : 1 <= o_x + threadIdx_x < n - 1 and 1 <= o_y + threadIdx_y < n - 1";
  for (const auto& [dy, dx] : {std::pair(0, 0), {0, 1}, {0, -1}, {1, 0}, {-1, 0}}) {
    const std::string subscripts = "A[o_y + threadIdx_y + " + std::to_string(dy) +
                                   ", o_x + threadIdx_x + " + std::to_string(dx) + "]";
    kernel.read("in", "[o_x, o_y, threadIdx_x, threadIdx_y] -> " + subscripts + guard,
                [=](auto& l, auto& b, auto& t, auto& emit) {
                  const long x = global_x(l, b, t), y = global_y(l, b, t);
                  if (inside(l, x) && inside(l, y)) emit({y + dy, x + dx});
                });
  }
  kernel.write(
      "out",
      "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[o_y + threadIdx_y, o_x + threadIdx_x]" + guard,
      [=](auto& l, auto& b, auto& t, auto& emit) {
        const long x = global_x(l, b, t), y = global_y(l, b, t);
        if (inside(l, x) && inside(l, y)) emit({y, x});
      });
  kernel.check();
  EXPECT_TRUE(kernel.set("in", SetKind::read).exact_part);
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_TRUE(always(kernel.kernel.axes[1].legal));
  EXPECT_FALSE(kernel.kernel.axes[1].read_write_overlap);
  EXPECT_EQ(kernel.kernel.suggested_axis, 1);
  EXPECT_EQ(kernel.kernel.axes[1].cost, "8*(n - 2) bytes (in)");  // two rows without their ends
}

TEST_F(Prove, StencilInPlaceIsARace) {
  with_offsets().argument("n", 2, 14);
  const std::string guard = " : 1 <= o_x + threadIdx_x < n";
  kernel.read("A", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x - 1]" + guard,
              [](auto& l, auto& b, auto& t, auto& emit) {
                const long x = global_x(l, b, t);
                if (x >= 1 && x < l["n"]) emit({x - 1});
              });
  kernel.write("A", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x]" + guard,
               [](auto& l, auto& b, auto& t, auto& emit) {
                 const long x = global_x(l, b, t);
                 if (x >= 1 && x < l["n"]) emit({x});
               });
  kernel.check();
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_TRUE(kernel.kernel.axes[0].read_write_overlap);
  EXPECT_NE(kernel.kernel.axes[0].race.find("test.cu:11"), std::string::npos);
  EXPECT_EQ(kernel.kernel.rung, Rung::exact);
  kernel.kernel.remarks.push_back({Obstacle::fence, {"test.cu", 5, 1}, "a fence"});
  kernel.prove();
  EXPECT_EQ(kernel.kernel.rung, Rung::one_device);
}

TEST_F(Prove, UpdateInPlaceIsNoRace) {
  with_offsets();
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) { emit({global_x(l, b, t)}); };
  kernel.read("A", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x]", body);
  kernel.write("A", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x]", body);
  kernel.check();
  EXPECT_FALSE(kernel.kernel.axes[0].read_write_overlap);
}

TEST_F(Prove, TwoBlocksShareAnElement) {
  kernel.most_blocks = 7;
  kernel.write("out", "[blockIdx_x] -> A[i] : 2i <= blockIdx_x <= 2i + 1",
               [](auto&, auto& b, auto&, auto& emit) { emit({b[0] / 2}); });
  kernel.check();
  EXPECT_EQ(kernel.kernel.axes[0].granularity, 2U);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_EQ(kernel.kernel.axes[0].reason, "");
}

TEST_F(Prove, SixBlocksShareAnElementOfTwoArrays) {
  kernel.most_blocks = 14;
  kernel.write("one", "[blockIdx_x] -> A[i] : i = floor(blockIdx_x / 2)",
               [](auto&, auto& b, auto&, auto& emit) { emit({b[0] / 2}); });
  kernel.write("other", "[blockIdx_x] -> A[i] : i = floor(blockIdx_x / 3)",
               [](auto&, auto& b, auto&, auto& emit) { emit({b[0] / 3}); });
  kernel.check();
  EXPECT_EQ(kernel.kernel.axes[0].granularity, 6U);
}

TEST_F(Prove, OneElementForAllBlocks) {
  kernel.write("out", "[blockIdx_x] -> A[0]", [](auto&, auto&, auto&, auto& emit) { emit({0}); });
  kernel.check();
  EXPECT_TRUE(kernel.kernel.axes[0].legal.is_empty());
  EXPECT_NE(kernel.kernel.axes[0].reason.find("test.cu:10"), std::string::npos);
  EXPECT_EQ(kernel.kernel.rung, Rung::one_device);
  EXPECT_EQ(kernel.kernel.suggested_axis, -1);
}

TEST_F(Prove, LegalOnlyWithoutOverlap) {  // A[b*4 + j], j < n
  kernel.argument("n", 0, 8).loop("j").write("out", "[blockIdx_x, j] -> A[4blockIdx_x + j] : j < n",
                                             [](auto& l, auto& b, auto&, auto& emit) {
                                               for (long j = 0; j < l["n"]; ++j)
                                                 emit({4 * b[0] + j});
                                             });
  kernel.check();
  const isl::set expected = launches("[n] -> { : n <= 4 }");
  const isl::set two = launches("[gridDim_x] -> { : gridDim_x >= 2 }");
  EXPECT_TRUE(kernel.kernel.axes[0]
                  .legal.intersect(two)
                  .intersect(kernel.kernel.context)
                  .is_equal(expected.intersect(two).intersect(kernel.kernel.context)))
      << kernel.kernel.axes[0].legal;
}

TEST_F(Prove, Transpose) {
  with_offsets(true).argument("n", 0, 12);
  const std::string guard = " : o_x + threadIdx_x < n and o_y + threadIdx_y < n";
  kernel.read(
      "in",
      "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[o_y + threadIdx_y, o_x + threadIdx_x]" + guard,
      [](auto& l, auto& b, auto& t, auto& emit) {
        const long x = global_x(l, b, t), y = global_y(l, b, t);
        if (x < l["n"] && y < l["n"]) emit({y, x});
      });
  kernel.write(
      "out",
      "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[o_x + threadIdx_x, o_y + threadIdx_y]" + guard,
      [](auto& l, auto& b, auto& t, auto& emit) {
        const long x = global_x(l, b, t), y = global_y(l, b, t);
        if (x < l["n"] && y < l["n"]) emit({x, y});
      });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_EQ(kernel.kernel.suggested_axis, 0);  // rows of what is written
}

TEST_F(Prove, MatrixProductSharesAnOperand) {
  with_offsets(true).argument("n", 1, 8).loop("k");
  const std::string guard = " : o_x + threadIdx_x < n and o_y + threadIdx_y < n and k < n";
  const std::string inputs = "[o_x, o_y, threadIdx_x, threadIdx_y, k] -> ";
  const auto inside = [](auto& l, auto& b, auto& t) {
    return global_x(l, b, t) < l["n"] && global_y(l, b, t) < l["n"];
  };
  kernel.read("a", inputs + "A[o_y + threadIdx_y, k]" + guard,
              [=](auto& l, auto& b, auto& t, auto& emit) {
                for (long k = 0; inside(l, b, t) && k < l["n"]; ++k) emit({global_y(l, b, t), k});
              });
  kernel.read("b", inputs + "A[k, o_x + threadIdx_x]" + guard,
              [=](auto& l, auto& b, auto& t, auto& emit) {
                for (long k = 0; inside(l, b, t) && k < l["n"]; ++k) emit({k, global_x(l, b, t)});
              });
  kernel.write("c", inputs + "A[o_y + threadIdx_y, o_x + threadIdx_x]" + guard,
               [=](auto& l, auto& b, auto& t, auto& emit) {
                 if (inside(l, b, t)) emit({global_y(l, b, t), global_x(l, b, t)});
               });
  kernel.check(30);
  EXPECT_EQ(kernel.kernel.suggested_axis, 1);
  EXPECT_EQ(kernel.kernel.axes[1].cost, "4*n*n bytes (b)");
  EXPECT_EQ(kernel.kernel.axes[0].cost, "4*n*n bytes (a)");
}

}  // namespace
}  // namespace gridspan::model::test
