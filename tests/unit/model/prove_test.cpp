// Proofs about small kernels, each compared with brute force.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <gtest/gtest.h>

namespace gridspan::model::test {
namespace {

class Prove : public testing::Test {
 protected:
  Prove() : kernel(context.get()) {}

  // o = blockDim_x * blockIdx_x, and the same along y.
  TestKernel& with_offsets(bool two_dimensional = false) {
    kernel.product("o_x", "blockDim_x", "blockIdx_x");
    if (two_dimensional) kernel.product("o_y", "blockDim_y", "blockIdx_y");
    return kernel;
  }
  bool always(const isl::set& set) {
    return kernel.kernel.context.intersect(launches("[gridDim_x] -> { : gridDim_x >= 1 }"))
        .is_subset(set);
  }
  isl::set launches(const std::string& text) { return isl::set(context.get(), text); }

  IslContext context;
  TestKernel kernel;
};

long global_x(const Launch& l, const Index& b, const Index& t) { return l.block[0] * b[0] + t[0]; }
long global_y(const Launch& l, const Index& b, const Index& t) { return l.block[1] * b[1] + t[1]; }

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

TEST_F(Prove, GridStrideLoop) {
  with_offsets().argument("n", 0, 40).loop("k").product("z", "blockDim_x_gridDim_x", "k");
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) {
    for (long i = global_x(l, b, t); i < l["n"]; i += l.grid[0] * l.block[0]) emit({i});
  };
  const std::string relation =
      "[o_x, threadIdx_x, k, z] -> A[z + o_x + threadIdx_x] : z + o_x + threadIdx_x < n";
  kernel.read("in", relation, body);
  kernel.write("out", relation, body);
  kernel.check();
  const AccessSet& set = kernel.set("out", SetKind::must_write);
  EXPECT_TRUE(set.exact_part);
  ASSERT_EQ(set.pieces.size(), 1U);
  ASSERT_EQ(set.pieces[0].loops.size(), 1U);
  EXPECT_EQ(set.pieces[0].loops[0].counter, "k");
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
}

TEST_F(Prove, LinearThreadIndex) {
  kernel.product_parameter("bxby", {"blockDim_x", "blockDim_y"});
  kernel.argument("n", 0, 60)
      .product("w", "blockDim_x", "threadIdx_y")
      .product("z", "bxby", "blockIdx_x");
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) {
    const long i = (b[0] * l.block[1] + t[1]) * l.block[0] + t[0];
    if (i < l["n"]) emit({i});
  };
  kernel.write(
      "out", "[z, w, threadIdx_x, threadIdx_y] -> A[z + w + threadIdx_x] : z + w + threadIdx_x < n",
      body);
  kernel.check();
  const AccessSet& set = kernel.set("out", SetKind::must_write);
  EXPECT_TRUE(set.exact_part);
  EXPECT_TRUE(set.pieces[0].loops.empty());
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
}

TEST_F(Prove, LinearThreadIndexInThreeDimensions) {
  kernel.most_threads = 3;
  kernel.product_parameter("bxby", {"blockDim_x", "blockDim_y"})
      .product_parameter("all", {"blockDim_x", "blockDim_y", "blockDim_z"})
      .product("v", "bxby", "threadIdx_z")
      .product("w", "blockDim_x", "threadIdx_y")
      .product("z", "all", "blockIdx_x");
  const Body body = [](auto& l, auto& b, auto& t, auto& emit) {
    emit({((b[0] * l.block[2] + t[2]) * l.block[1] + t[1]) * l.block[0] + t[0]});
  };
  kernel.write("out",
               "[z, v, w, threadIdx_x, threadIdx_y, threadIdx_z] -> A[z + v + w + threadIdx_x]",
               body);
  kernel.check();
  const AccessSet& set = kernel.set("out", SetKind::must_write);
  EXPECT_TRUE(set.exact_part);
  EXPECT_TRUE(set.pieces[0].loops.empty());
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
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

TEST_F(Prove,
       TwoBlockOffsetsApart) {  // A[2*o + t] and A[2*o + P + t]: contiguous, two tiles a block
  with_offsets();
  kernel.write("out", "[o_x, threadIdx_x] -> A[2o_x + threadIdx_x]",
               [](auto& l, auto& b, auto& t, auto& emit) { emit({2 * l.block[0] * b[0] + t[0]}); });
  kernel.write("out", "[o_x, threadIdx_x] -> A[2o_x + blockDim_x + threadIdx_x]",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 emit({2 * l.block[0] * b[0] + l.block[0] + t[0]});
               });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_block);
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

TEST_F(Prove, OneElementABlockThroughTheOffset) {
  with_offsets().write("out", "[o_x, threadIdx_x] -> A[o_x] : threadIdx_x = 0",
                       [](auto& l, auto& b, auto& t, auto& emit) {
                         if (t[0] == 0) emit({l.block[0] * b[0]});
                       });
  kernel.check();
  const AccessSet& set = kernel.set("out", SetKind::must_write);
  EXPECT_TRUE(set.exact_block);
  EXPECT_FALSE(set.exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_EQ(kernel.kernel.rung, Rung::may_write);
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
  EXPECT_EQ(kernel.kernel.axes[1].cost, "8*n bytes (in)");  // two rows
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

TEST_F(Prove, HalfTheThreadsOfABlock) {  // gaps between blocks: exact for one block only
  with_offsets().write("out",
                       "[o_x, threadIdx_x] -> A[o_x + threadIdx_x] : 2threadIdx_x < blockDim_x",
                       [](auto& l, auto& b, auto& t, auto& emit) {
                         if (2 * t[0] < l.block[0]) emit({global_x(l, b, t)});
                       });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_block);
  EXPECT_FALSE(kernel.set("out", SetKind::must_write).exact_part);
}

TEST_F(Prove, OnlyTheFirstBlock) {
  with_offsets().write("out",
                       "[o_x, blockIdx_x, threadIdx_x] -> A[o_x + threadIdx_x] : blockIdx_x = 0",
                       [](auto& l, auto& b, auto& t, auto& emit) {
                         if (b[0] == 0) emit({global_x(l, b, t)});
                       });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
}

TEST_F(Prove, EveryStridedThread) {  // A[P*t]: a thread product with gaps is run over natively
  kernel.product("w", "blockDim_x", "threadIdx_y");
  kernel.write("out", "[w, threadIdx_x, threadIdx_y] -> A[w]",
               [](auto& l, auto&, auto& t, auto& emit) { emit({l.block[0] * t[1]}); });
  kernel.check();
  const AccessSet& set = kernel.set("out", SetKind::must_write);
  EXPECT_TRUE(set.exact_block);
  ASSERT_EQ(set.pieces[0].loops.size(), 1U);
}

TEST_F(Prove, BlockStrideLoopCollapses) {  // for (i = t; i < n; i += P) A[b][i]
  kernel.argument("n", 0, 20).loop("k").product("z", "blockDim_x", "k");
  kernel.write(
      "out",
      "[blockIdx_x, threadIdx_x, k, z] -> A[blockIdx_x, threadIdx_x + z] : threadIdx_x + z < n",
      [](auto& l, auto& b, auto& t, auto& emit) {
        for (long i = t[0]; i < l["n"]; i += l.block[0]) emit({b[0], i});
      });
  kernel.check();
  const AccessSet& set = kernel.set("out", SetKind::must_write);
  EXPECT_TRUE(set.exact_part);
  EXPECT_TRUE(set.pieces[0].loops.empty());
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
}

TEST_F(Prove, ProductWithAnArgumentOfAnySign) {  // A[n*b + t], t < n
  kernel.argument("n", -3, 5).product("z", "n", "blockIdx_x");
  kernel.write("out", "[z, threadIdx_x, blockIdx_x] -> A[z + threadIdx_x] : threadIdx_x < n",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 if (t[0] < l["n"]) emit({l["n"] * b[0] + t[0]});
               });
  kernel.read("in", "[z, threadIdx_x, blockIdx_x] -> A[z + threadIdx_x]",
              [](auto& l, auto& b, auto& t, auto& emit) { emit({l["n"] * b[0] + t[0]}); });
  kernel.check(100);
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_block);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal)) << kernel.kernel.axes[0].legal;
}

TEST_F(Prove, RowsOfALoopWithAnArgumentOfAnySign) {
  kernel.argument("n", -3, 4).argument("m", 0, 4).loop("k").product("z", "n", "k");
  kernel.read("in", "[k, z, threadIdx_x] -> A[z + threadIdx_x] : k < m",
              [](auto& l, auto&, auto& t, auto& emit) {
                for (long k = 0; k < l["m"]; ++k) emit({l["n"] * k + t[0]});
              });
  kernel.check(100);
  EXPECT_TRUE(kernel.set("in", SetKind::read).exact_part);
}

TEST_F(Prove, LinearBlockIndex) {  // (by*gx + bx)*P + t
  kernel.product("o_x", "blockDim_x", "blockIdx_x");
  kernel.product("v", "blockDim_x_gridDim_x", "blockIdx_y");
  kernel.write("out", "[o_x, v, threadIdx_x] -> A[v + o_x + threadIdx_x]",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 emit({(b[1] * l.grid[0] + b[0]) * l.block[0] + t[0]});
               });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_block);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_TRUE(always(kernel.kernel.axes[1].legal));
}

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
  prove(kernel.kernel, {10});
  EXPECT_TRUE(kernel.kernel.axes[0].legal.is_empty());
  EXPECT_TRUE(kernel.kernel.axes[0].read_write_overlap == false);  // different arrays
}

}  // namespace
}  // namespace gridspan::model::test
