// Footprints of parts whose products leave gaps, or not; compared with brute force.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prove_fixture.h"

namespace gridspan::model::test {
namespace {

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
  kernel.argument("n", 0, 60)
      .product("o_x", "blockDim_x", "blockIdx_x")
      .product("v", "blockDim_x_gridDim_x", "blockIdx_y");
  kernel.write("out",
               "[o_x, v, threadIdx_x] -> A[v + o_x + threadIdx_x] : v + o_x + threadIdx_x < n",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 const long i = (b[1] * l.grid[0] + b[0]) * l.block[0] + t[0];
                 if (i < l["n"]) emit({i});
               });
  kernel.check(200);
  const AccessSet& set = kernel.set("out", SetKind::must_write);
  EXPECT_TRUE(set.exact_part);
  ASSERT_EQ(set.pieces.size(), 2U);  // whole rows, and row by row
  EXPECT_TRUE(set.pieces[0].loops.empty());
  EXPECT_EQ(set.pieces[1].loops.size(), 1U);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_TRUE(always(kernel.kernel.axes[1].legal));
  EXPECT_EQ(kernel.kernel.rung, Rung::exact);
}

TEST_F(Prove, OneElementForEachBlockOfRows) {  // by*gx + bx
  kernel.product("v", "gridDim_x", "blockIdx_y");
  kernel.write("out", "[blockIdx_x, v, threadIdx_x] -> A[v + blockIdx_x] : threadIdx_x = 0",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 if (t[0] == 0) emit({b[1] * l.grid[0] + b[0]});
               });
  kernel.check(200);
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
}

// Blocks of one row leave gaps: by*gx*P + bx*P + t for some threads.
TEST_F(Prove, LinearBlockIndexOfSomeThreads) {
  kernel.product("o_x", "blockDim_x", "blockIdx_x")
      .product("v", "blockDim_x_gridDim_x", "blockIdx_y");
  kernel.write("out", "[o_x, v, threadIdx_x] -> A[v + o_x + threadIdx_x] : threadIdx_x < 2",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 if (t[0] < 2) emit({(b[1] * l.grid[0] + b[0]) * l.block[0] + t[0]});
               });
  kernel.check();
  EXPECT_FALSE(kernel.set("out", SetKind::must_write).exact_part);
}

// The guard looks at the place within the row.
TEST_F(Prove, LinearBlockIndexGuardedWithinRows) {
  kernel.argument("n", 0, 20)
      .product("o_x", "blockDim_x", "blockIdx_x")
      .product("v", "blockDim_x_gridDim_x", "blockIdx_y");
  kernel.write("out", "[o_x, v, threadIdx_x] -> A[v + o_x + threadIdx_x] : o_x + threadIdx_x < n",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 const long x = global_x(l, b, t);
                 if (x < l["n"]) emit({b[1] * l.grid[0] * l.block[0] + x});
               });
  kernel.check();
  EXPECT_FALSE(kernel.set("out", SetKind::must_write).exact_part);
}

// Below the first multiple there are none that a part might have left out.
TEST_F(Prove, OnlyTheFirstThreadOfTheGrid) {
  with_offsets().argument("k", 0, 5);
  kernel.write("out", "[o_x, threadIdx_x] -> A[k] : o_x + threadIdx_x = 0",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 if (global_x(l, b, t) == 0) emit({l["k"]});
               });
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_EQ(kernel.kernel.rung, Rung::exact);
}

TEST_F(Prove, FirstThreadsOfTheFirstBlocks) {  // every P-th element
  with_offsets();
  kernel.write("out", "[o_x, threadIdx_x] -> A[o_x] : threadIdx_x = 0 and o_x <= 4",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 if (t[0] == 0 && l.block[0] * b[0] <= 4) emit({l.block[0] * b[0]});
               });
  kernel.check();
  EXPECT_FALSE(kernel.set("out", SetKind::must_write).exact_part);
}

TEST_F(Prove, FirstRowAndTheRest) {  // two branches
  with_offsets(true).argument("n", 0, 9).argument("m", 0, 9);
  const auto store = [&](const std::string& which, bool first) {
    kernel.write("out",
                 "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[o_y + threadIdx_y, o_x + threadIdx_x] "
                 ": o_y + threadIdx_y < n and o_x + threadIdx_x < m and o_y + threadIdx_y " +
                     which,
                 [first](auto& l, auto& b, auto& t, auto& emit) {
                   const long x = global_x(l, b, t), y = global_y(l, b, t);
                   if (x < l["m"] && y < l["n"] && (y == 0) == first) emit({y, x});
                 });
  };
  store("= 0", true);
  store(">= 1", false);
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
}

}  // namespace
}  // namespace gridspan::model::test
