// Launches whose threads may do all that threads of their index did, without a barrier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/fusible.h"
#include "sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gridspan::fusion::test {
namespace {

using testing::HasSubstr;

constexpr AccessKind reads = AccessKind::read, writes = AccessKind::write;
constexpr std::array<bool, 3> rows_of_threads = {false, true, true};

class Fusible : public testing::Test {
 protected:
  TestLaunch& launch() { return sequence_.emplace_back(context_.get()); }
  /// With one row of blocks.
  std::string why_not(const std::array<bool, 3>& one_thread = rows_of_threads) {
    std::vector<Launch> made = launches(sequence_);
    for (Launch& one : made) one.blocks = {0, 1, 1};
    return why_not_fusible(made, one_thread);
  }

  model::IslContext context_;
  Sequence sequence_;
};

TEST_F(Fusible, ThreadsThatHandOnTheirOwnElements) {
  launch().linear("A", writes, {}).linear("B", reads, {});
  launch().linear("A", reads, {}).linear("C", writes, {});
  launch().linear("C", reads, {}).linear("B", writes, {});
  EXPECT_EQ(why_not(), "");
}

TEST_F(Fusible, NotWithElementsOfOtherThreads) {
  launch().linear("A", writes, {}).linear("B", reads, {});
  launch().mirrored("A", reads).linear("C", writes, {});
  EXPECT_THAT(why_not(), HasSubstr("may need what other threads"));
}

TEST_F(Fusible, NotWithElementsOfOtherBlocks) {
  launch().linear("A", writes, {}).linear("B", reads, {});
  launch().linear("A", reads, {.shift = 1, .high = 1}).linear("C", writes, {});
  EXPECT_THAT(why_not(), HasSubstr("A["));
}

TEST_F(Fusible, EachPairCounts) {
  launch().linear("A", writes, {}).linear("B", reads, {});
  launch().linear("C", writes, {}).linear("D", reads, {});
  launch().linear("A", reads, {.shift = 1, .high = 1}).linear("E", writes, {});
  EXPECT_NE(why_not(), "");
}

/// A later launch may not overwrite what threads of an earlier one still have to read.
TEST_F(Fusible, NotWhereItOverwritesWhatOthersRead) {
  launch().linear("A", reads, {.shift = 1, .high = 1}).linear("B", writes, {});
  launch().linear("A", writes, {}).linear("C", reads, {});
  EXPECT_NE(why_not(), "");
}

TEST_F(Fusible, NotWithThreadsThatDoTheSame) {
  launch().linear("A", writes, {}).linear("B", reads, {});
  launch().linear("A", reads, {}).linear("B", writes, {});
  EXPECT_THAT(why_not({false, false, true}), HasSubstr("several threads of a block"));
}

TEST_F(Fusible, NotWithRowsOfBlocksThatDoTheSame) {
  launch().linear("A", writes, {}).linear("B", reads, {});
  launch().linear("A", reads, {}).linear("B", writes, {});
  std::vector<Launch> made = launches(sequence_);
  for (Launch& one : made) one.blocks = {0, 0, 1};
  EXPECT_EQ(why_not_fusible(made, rows_of_threads), "only if the grid has one block along y");
}

TEST_F(Fusible, NotWithOtherShapes) {
  launch().linear("A", writes, {});
  launch().linear("A", reads, {}).grid_shape = 1;
  EXPECT_THAT(why_not(), HasSubstr("grids or blocks"));
}

}  // namespace
}  // namespace gridspan::fusion::test
