// Separators: subscripts that tell blocks apart by their constraints alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/separators.h"

#include "model/instances.h"
#include "prove_fixture.h"

namespace gridspan::model::test {
namespace {

class Separators : public Prove {
 protected:
  // Of a relation over the dimensions of the kernel.
  std::vector<Separator> of(const std::string& relation) {
    TestKernel& made = with_offsets(true);
    made.read("A", relation, [](auto&, auto&, auto&, auto&) {});
    Instances instances(made.kernel);
    return separators(made.kernel, instances.of(made.array("A").accesses.back()).touched);
  }
};

TEST_F(Separators, OffsetAndThread) {
  const std::vector<Separator> found = of("[o_x, threadIdx_x] -> A[o_x + threadIdx_x]");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].axes[0]);
  EXPECT_FALSE(found[0].axes[1]);
}

TEST_F(Separators, BlockIndexAlone) {
  const std::vector<Separator> found =
      of("[blockIdx_y, threadIdx_x] -> A[blockIdx_y, threadIdx_x]");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].axes[1]);
}

TEST_F(Separators, OneForEachSubscript) {
  const std::vector<Separator> found =
      of("[o_x, o_y, threadIdx_x, threadIdx_y] -> A[o_y + threadIdx_y, o_x + threadIdx_x]");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(tell_apart(found, found, 0));
  EXPECT_TRUE(tell_apart(found, found, 1));
  EXPECT_FALSE(tell_apart(found, found, 2));
}

// Blocks overlap in these, or do so for all that coefficients tell.
TEST_F(Separators, NoDigits) {
  EXPECT_TRUE(of("[blockIdx_x, threadIdx_x] -> A[blockIdx_x + threadIdx_x]").empty());
  EXPECT_TRUE(of("[o_x, threadIdx_y] -> A[o_x + threadIdx_y]").empty());
  EXPECT_TRUE(of("[o_x, threadIdx_x] -> A[o_x + 2threadIdx_x]").empty());
  EXPECT_TRUE(of("[o_x, threadIdx_x] -> A[threadIdx_x]").empty());
  EXPECT_TRUE(of("[o_x, threadIdx_x] -> A[i] : 2i = o_x + threadIdx_x").size() <= 1);
}

// Apart only if both accesses have the same subscript.
TEST_F(Separators, ShiftedByOne) {
  const std::vector<Separator> first = of("[o_x, threadIdx_x] -> A[o_x + threadIdx_x]");
  const std::vector<Separator> second = of("[o_x, threadIdx_x] -> A[o_x + threadIdx_x + 1]");
  EXPECT_TRUE(tell_apart(first, first, 0));
  EXPECT_TRUE(tell_apart(second, second, 0));
  EXPECT_FALSE(tell_apart(first, second, 0));
}

}  // namespace
}  // namespace gridspan::model::test
