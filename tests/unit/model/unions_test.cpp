// What several accesses touch together; compared with brute force.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prove_fixture.h"

#include <algorithm>

namespace gridspan::model::test {
namespace {

// Each access alone leaves gaps between blocks.
class Together : public Prove {
 protected:
  // A[factor*o + shift*P + t] for threads t < limit (all: limit 0).
  void write_run(long factor, long shift, long limit = 0) {
    access_run(AccessKind::write, factor, shift, limit);
  }
  void access_run(AccessKind kind, long factor, long shift, long limit) {
    kernel.access("out", kind,
                  "[o_x, threadIdx_x] -> A[" + std::to_string(factor) + "o_x + " +
                      std::to_string(shift) + "blockDim_x + threadIdx_x]" +
                      (limit == 0 ? "" : " : threadIdx_x < " + std::to_string(limit)),
                  [=](auto& l, auto& b, auto& t, auto& emit) {
                    if (limit != 0 && t[0] >= limit) return;
                    emit({l.block[0] * (factor * b[0] + shift) + t[0]});
                  });
  }
};

TEST_F(Together, TwoRunsABlock) {
  with_offsets();
  write_run(2, 0);
  write_run(2, 1);
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
  EXPECT_EQ(kernel.kernel.rung, Rung::exact);
}

TEST_F(Together, TwoRunsOfThree) {
  with_offsets();
  write_run(3, 0);
  write_run(3, 1);
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_block);
  EXPECT_FALSE(kernel.set("out", SetKind::must_write).exact_part);
}

TEST_F(Together, TheSecondRunIsNotWhole) {
  with_offsets();
  write_run(2, 0);
  write_run(2, 1, 2);
  kernel.check();
  EXPECT_FALSE(kernel.set("out", SetKind::must_write).exact_part);
}

TEST_F(Together, RunsInTwoDirections) {
  with_offsets(true);
  for (long x : {0, 1}) {
    for (long y : {0, 1}) {
      kernel.write("out",
                   "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[2o_y + threadIdx_y + " +
                       std::to_string(y) + "blockDim_y, 2o_x + threadIdx_x + " + std::to_string(x) +
                       "blockDim_x]",
                   [=](auto& l, auto& b, auto& t, auto& emit) {
                     emit({l.block[1] * (2 * b[1] + y) + t[1], l.block[0] * (2 * b[0] + x) + t[0]});
                   });
    }
  }
  kernel.check(30);
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
}

TEST_F(Together, OneOfFourIsMissing) {
  with_offsets(true);
  for (const auto& run : {std::pair(0, 0), {0, 1}, {1, 0}}) {
    const long x = run.first, y = run.second;
    kernel.write("out",
                 "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[2o_y + threadIdx_y + " +
                     std::to_string(y) + "blockDim_y, 2o_x + threadIdx_x + " + std::to_string(x) +
                     "blockDim_x]",
                 [=](auto& l, auto& b, auto& t, auto& emit) {
                   emit({l.block[1] * (2 * b[1] + y) + t[1], l.block[0] * (2 * b[0] + x) + t[0]});
                 });
  }
  kernel.check(30);
  EXPECT_FALSE(kernel.set("out", SetKind::must_write).exact_part);
}

// A tile and what lies beside it: some threads read a second time.
TEST_F(Together, HaloOfATile) {
  with_offsets();
  access_run(AccessKind::read, 1, 0, 0);
  access_run(AccessKind::read, 1, 1, 2);
  kernel.check();
  EXPECT_TRUE(kernel.set("out", SetKind::read).exact_part);
}

TEST_F(Together, HaloAwayFromTheTile) {
  with_offsets();
  access_run(AccessKind::read, 1, 0, 0);
  access_run(AccessKind::read, 1, 3, 2);
  kernel.check();
  EXPECT_FALSE(kernel.set("out", SetKind::read).exact_part);
}

// Other symbols of the same axis say nothing about each other's multiples.
TEST_F(Together, IndexAndOffset) {
  with_offsets();
  kernel.write("out", "[o_x, threadIdx_x] -> A[0, o_x] : threadIdx_x = 0",
               [](auto& l, auto& b, auto& t, auto& emit) {
                 if (t[0] == 0) emit({0, l.block[0] * b[0]});
               });
  kernel.write("out", "[blockIdx_x, threadIdx_x] -> A[1, blockIdx_x] : threadIdx_x = 0",
               [](auto&, auto& b, auto& t, auto& emit) {
                 if (t[0] == 0) emit({1, b[0]});
               });
  kernel.check();
  EXPECT_FALSE(kernel.set("out", SetKind::must_write).exact_part);
}

TEST_F(Together, FourElementsAThread) {  // a loop of four turns, blockDim apart
  with_offsets().argument("n", 0, 60).loop("j").product("z", "blockDim_x", "j");
  const auto body = [](long turns) {
    return [turns](auto& l, auto& b, auto& t, auto& emit) {
      for (long j = 0; j < turns; ++j) {
        const long i = 4 * l.block[0] * b[0] + j * l.block[0] + t[0];
        if (i < l["n"]) emit({i});
      }
    };
  };
  const std::string relation =
      "[o_x, j, z, threadIdx_x] -> A[4o_x + z + threadIdx_x] : 4o_x + z + threadIdx_x < n and j "
      "<= ";
  kernel.write("all", relation + "3", body(4));
  kernel.write("three", relation + "2", body(3));
  kernel.check();
  EXPECT_TRUE(kernel.set("all", SetKind::must_write).exact_part);
  EXPECT_TRUE(kernel.set("all", SetKind::must_write).pieces[0].loops.empty());
  EXPECT_TRUE(kernel.set("three", SetKind::must_write).exact_block);
  EXPECT_FALSE(kernel.set("three", SetKind::must_write).exact_part);
  EXPECT_TRUE(always(kernel.kernel.axes[0].legal));
}

// Stores that depend on data, to elements that are written anyway, and elsewhere.
class Covered : public Prove {
 protected:
  Access& store(const std::string& subscript, long shift, const std::string& guard,
                const std::function<bool(const Launch&, long)>& when, bool exact) {
    return kernel.access(
        "out", AccessKind::write,
        "[o_x, threadIdx_x] -> A[" + subscript + "] : o_x + threadIdx_x < n and " + guard,
        [=](auto& l, auto& b, auto& t, auto& emit) {
          const long x = global_x(l, b, t);
          if (x < l["n"] && when(l, x)) emit({x + shift});
        },
        exact);
  }
  static bool always_so(const Launch&, long) { return true; }
  static bool by_data(const Launch&, long x) { return x * 7 % 3 == 0; }
};

TEST_F(Covered, StoredAgainOnACondition) {
  with_offsets().argument("n", 0, 20);
  store("o_x + threadIdx_x", 0, "true", always_so, true);
  store("o_x + threadIdx_x", 0, "true", by_data, false);
  kernel.check();
  ASSERT_EQ(kernel.array("out").sets.size(), 1U);
  EXPECT_EQ(kernel.set("out", SetKind::must_write).accesses, std::vector<unsigned>({0, 1}));
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
  EXPECT_EQ(kernel.kernel.rung, Rung::exact);
}

TEST_F(Covered, TheNeighbourIsStoredOnACondition) {
  with_offsets().argument("n", 0, 20);
  store("o_x + threadIdx_x", 0, "true", always_so, true);
  store("o_x + threadIdx_x + 1", 1, "true", by_data, false);
  kernel.check();
  EXPECT_EQ(kernel.set("out", SetKind::must_write).accesses.size(), 1U);
  EXPECT_EQ(kernel.set("out", SetKind::may_write).accesses, std::vector<unsigned>({1}));
  EXPECT_NE(kernel.kernel.rung, Rung::exact);
}

TEST_F(Covered, BothBranchesAndThenSome) {
  with_offsets().argument("n", 0, 20).argument("h", 0, 20);
  store(
      "o_x + threadIdx_x", 0, "o_x + threadIdx_x < h",
      [](const Launch& l, long x) { return x < l["h"]; }, true);
  store(
      "o_x + threadIdx_x", 0, "o_x + threadIdx_x >= h",
      [](const Launch& l, long x) { return x >= l["h"]; }, true);
  store("o_x + threadIdx_x", 0, "true", by_data, false);
  kernel.check();
  EXPECT_EQ(kernel.array("out").sets.size(), 1U);
  EXPECT_TRUE(kernel.set("out", SetKind::must_write).exact_part);
}

TEST_F(Covered, OneBranchOnly) {
  with_offsets().argument("n", 0, 20).argument("h", 0, 20);
  store(
      "o_x + threadIdx_x", 0, "o_x + threadIdx_x < h",
      [](const Launch& l, long x) { return x < l["h"]; }, true);
  store("o_x + threadIdx_x", 0, "true", by_data, false);
  kernel.check();
  EXPECT_EQ(kernel.set("out", SetKind::may_write).accesses, std::vector<unsigned>({1}));
  EXPECT_EQ(kernel.kernel.rung, Rung::may_write);
}

// Another block writes it, this one perhaps: its own part must still fetch the old contents.
TEST_F(Covered, WrittenByTheNextBlock) {
  with_offsets().argument("n", 0, 20);
  store("o_x + threadIdx_x", 0, "true", always_so, true);
  store(
      "o_x + threadIdx_x + blockDim_x", 0, "true", [](const Launch&, long) { return false; },
      false);
  kernel.check();
  EXPECT_EQ(kernel.set("out", SetKind::may_write).accesses, std::vector<unsigned>({1}));
}

TEST_F(Covered, AReadWithinReads) {
  with_offsets().argument("n", 0, 20);
  store("o_x + threadIdx_x", 0, "true", always_so, true).kind = AccessKind::read;
  store("o_x + threadIdx_x", 0, "o_x >= 1", by_data, false).kind = AccessKind::read;
  kernel.array("out").accesses[1].relation = isl::map(
      context.get(),
      "[n, blockDim_x, gridDim_x] -> { [o_x, threadIdx_x] -> A[o_x + threadIdx_x] : 1 <= o_x + "
      "threadIdx_x < n and 0 <= threadIdx_x < blockDim_x }");
  kernel.prove();
  EXPECT_TRUE(kernel.set("out", SetKind::read).exact_part);
}

// Subscript `s` is `v`, clamped to 0 .. n - 1.
std::string clamped(const std::string& s, const std::string& v) {
  return "((" + s + " = " + v + " and 0 <= " + v + " < n) or (" + s + " = 0 and " + v +
         " < 0 and n >= 1) or (" + s + " = n - 1 and " + v + " >= n and n >= 1))";
}

// A tile and its halo, both clamped to the array: more cases than a footprint has boxes.
TEST_F(Prove, ClampedTileWithHalo) {
  kernel.argument("n", 1, 20);
  const auto at = [](long shift_y, long shift_x) {
    return [=](auto& l, auto& b, auto& t, auto& emit) {
      const long last = l["n"] - 1;
      emit({std::clamp(4 * b[1] + t[1] + shift_y, 0L, last),
            std::clamp(4 * b[0] + t[0] + shift_x, 0L, last)});
    };
  };
  const auto sum = [](const char* block, const char* thread, long shift) {
    return "4*" + std::string(block) + " + " + thread + " + " + std::to_string(shift);
  };
  const std::pair<long, long> star[] = {{0, 0}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}};
  for (const auto& [y, x] : star) {
    kernel.read("in",
                "[blockIdx_x, blockIdx_y, threadIdx_x, threadIdx_y] -> A[i, j] : " +
                    clamped("i", sum("blockIdx_y", "threadIdx_y", y)) + " and " +
                    clamped("j", sum("blockIdx_x", "threadIdx_x", x)),
                at(y, x));
  }
  kernel.check();
  const AccessSet& set = kernel.set("in", SetKind::read);
  ASSERT_FALSE(set.unbounded);
  // A row of blocks in the middle reads its four rows and one on either side, whole.
  const isl::set rows = set.pieces.front().image.intersect_params(
      launches("[n, blockDim_x, blockDim_y, blockIdx_y_first, blockIdx_y_last, blockIdx_x_first, "
               "blockIdx_x_last] -> { : n = 64 and blockDim_x = 4 and blockDim_y = 4 and "
               "blockIdx_y_first = 2 and blockIdx_y_last = 2 and blockIdx_x_first = 0 and "
               "blockIdx_x_last = 15 }"));
  const auto end = [&](int subscript, bool last) {
    isl_set* copy = isl::set(rows).release();
    return isl::manage(last ? isl_set_dim_max_val(copy, subscript)
                            : isl_set_dim_min_val(copy, subscript))
        .num_si();
  };
  EXPECT_EQ(end(0, false), 7);
  EXPECT_EQ(end(0, true), 12);
  EXPECT_EQ(end(1, false), 0);
  EXPECT_EQ(end(1, true), 63);
}

}  // namespace
}  // namespace gridspan::model::test
