// What cutting a grid costs: boxes against counting, and formulas against numbers found by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/concrete.h"
#include "prove_fixture.h"

#include <algorithm>
#include <random>

namespace gridspan::model::test {
namespace {

using Points = std::set<std::vector<long>>;

void add_points(const Box& box, Points& points) {
  for (long y = box[0].first; y < box[0].end; ++y)
    for (long x = box[1].first; x < box[1].end; ++x) points.insert({y, x});
}

TEST(Boxes, ApartHaveTheSameElementsOnce) {
  std::mt19937 random(3);
  const auto number = [&](long least, long most) {
    return std::uniform_int_distribution<long>(least, most)(random);
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<Box> boxes(static_cast<std::size_t>(number(1, 6)));
    Points want, got;
    for (Box& box : boxes) {
      for (int i = 0; i < 2; ++i) {
        const long first = number(0, 7);
        box.push_back({first, first + number(1, 4)});
      }
      add_points(box, want);
    }
    std::size_t elements = 0;
    for (const Box& box : apart(boxes)) {
      add_points(box, got);
      elements +=
          static_cast<std::size_t>((box[0].end - box[0].first) * (box[1].end - box[1].first));
    }
    EXPECT_EQ(got, want);
    EXPECT_EQ(elements, want.size());
    const Box probe{{2, 5}, {3, 6}};
    Points probed;
    add_points(probe, probed);
    EXPECT_EQ(is_covered(probe, boxes),
              std::includes(want.begin(), want.end(), probed.begin(), probed.end()));
  }
}

TEST(ConcreteSet, BoxesLieAroundPieces) {
  IslContext context;
  const auto at = [&](const char* text, const Values& values) {
    const ConcreteSet set(isl::set(context.get(), text));
    return std::pair(set.boxes(values), set.is_of_boxes());
  };
  const char* rows = "[n, f, l] -> { A[y, x] : 8f <= y <= 8l + 7 and y < n and 0 <= 2x < n }";
  EXPECT_EQ(at(rows, {{"n", 19}, {"f", 1}, {"l", 4}}),
            std::pair(std::map<std::size_t, Box>{{0, {{8, 19}, {0, 10}}}}, true));
  EXPECT_TRUE(at(rows, {{"n", 8}, {"f", 1}, {"l", 4}}).first.empty());
  // A triangle is less than the box around it.
  EXPECT_EQ(at("[n] -> { A[y, x] : 0 <= x <= y < n }", {{"n", 5}}),
            std::pair(std::map<std::size_t, Box>{{0, {{0, 5}, {0, 5}}}}, false));
}

class Costs : public Prove {
 protected:
  // By these names: 1 <= size.
  TestKernel& sizes(const std::vector<std::string>& names) {
    for (const std::string& name : names) kernel.argument(name, 1, 20);
    return kernel;
  }
  void read(const std::string& array, const std::string& relation) {
    kernel.read(array, relation, nothing);
  }
  void write(const std::string& array, const std::string& relation) {
    kernel.write(array, relation, nothing);
  }
  const std::string& cost(unsigned axis) { return kernel.kernel.axes[axis].cost; }
  static void nothing(const Launch&, const Index&, const Index&, const Emit&) {}
};

// Blocks that read their tile and a cell around it: 32 wide and 8 high, whatever blockDim is.
TEST_F(Costs, TilesImplyBlocks) {
  sizes({"rows", "columns"});
  const std::string of = "[blockIdx_x, blockIdx_y, threadIdx_x, threadIdx_y] -> ";
  const std::string y = "8blockIdx_y + threadIdx_y", x = "32blockIdx_x + threadIdx_x";
  const std::string inside = y + " < rows and " + x + " < columns";
  write("later", of + "A[" + y + ", " + x + "] : " + inside);
  for (const auto& [dy, dx] : {std::pair("-1", "+0"), {"+1", "+0"}, {"+0", "-1"}, {"+0", "+1"}}) {
    read("now", of + "A[" + y + dy + ", " + x + dx + "] : 0 <= " + y + dy +
                    " < rows and 0 <= " + x + dx + " < columns and " + inside);
  }
  kernel.prove();
  EXPECT_EQ(cost(0), "8*rows bytes (now)");
  EXPECT_EQ(cost(1), "8*columns bytes (now)");
}

// One column is read by all, wherever it is; also by the half that writes it.
TEST_F(Costs, AColumnForAll) {
  with_offsets();
  sizes({"n"}).argument("k", 0, 19).context("[k, n] -> { : k < n }");
  write("a", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x] : o_x + threadIdx_x < n");
  read("a", "[o_x, threadIdx_x] -> A[k] : o_x + threadIdx_x < n");
  kernel.prove();
  EXPECT_EQ(cost(0), "4 bytes (a)");
}

// Half of the blocks need nothing of the other half's rows, but all read the lower ones.
TEST_F(Costs, HalfOfATriangle) {
  with_offsets();
  sizes({"n"}).loop("j");
  write("out", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x] : o_x + threadIdx_x < n");
  read("in", "[o_x, threadIdx_x, j] -> A[j] : 0 <= j <= o_x + threadIdx_x < n");
  kernel.prove();
  EXPECT_EQ(cost(0), "2*n bytes (in)");
}

// A seventh of n is no sum: better to say nothing of it than a wrong number.
TEST_F(Costs, WhatIsNoFormulaIsNotShown) {
  with_offsets();
  sizes({"n", "m"});
  write("out", "[o_x, threadIdx_x] -> A[o_x + threadIdx_x] : o_x + threadIdx_x < n");
  read("in",
       "[o_x, threadIdx_x] -> A[e] : exists q : 7q <= n < 7q + 7 and 0 <= e < q and "
       "o_x + threadIdx_x < n");
  kernel.prove();
  EXPECT_EQ(cost(0), "an unknown part of in");
}

}  // namespace
}  // namespace gridspan::model::test
