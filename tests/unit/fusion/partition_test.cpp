// Groups of neighbours, and the bytes that they move, as formulas.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/partition.h"
#include "sequence.h"

#include <gtest/gtest.h>

namespace gridspan::fusion::test::partition_test {
namespace {

constexpr AccessKind reads = AccessKind::read, writes = AccessKind::write;

class Partitions : public testing::Test {
 protected:
  TestLaunch& launch() { return sequence_.emplace_back(context_.get()); }
  Partition found() { return partition(launches(sequence_)); }

  static std::string text(const Formula& formula) {
    return formula.text([](const std::string& name) { return name; });
  }
  static Launch::Pointees memory(std::uint64_t value) { return {false, {value}, 0, {}}; }
  /// "[0,2) 24*n -> 20*n, 16*n without A", one line for each group.
  static std::string text(const Partition& partition) {
    std::string all;
    for (const Group& group : partition.groups) {
      const Bytes& bytes = group.bytes;
      all += "[" + std::to_string(group.first) + "," + std::to_string(group.end) + ") " +
             text(bytes.apart) + " -> " + text(bytes.together);
      for (const std::string& array : bytes.passed)
        all += ", " + text(bytes.least) + " without " + array;
      for (const std::string& array : bytes.unknown) all += ", and " + array;
      all += bytes.is_exact ? "\n" : ", at most\n";
    }
    return all;
  }

  model::IslContext context_;
  Sequence sequence_;
};

TEST_F(Partitions, AnArrayThatOnlyPassesValues) {
  launch().linear("A", writes, {}).linear("B", reads, {}).linear("C", reads, {});
  launch().linear("A", reads, {}).linear("D", reads, {}).linear("E", writes, {});
  EXPECT_EQ(text(found()), "[0,2) 24*n -> 20*n, 16*n without A\n");
}

TEST_F(Partitions, WhatIsReadTwiceIsReadOnce) {
  launch().linear("A", reads, {}).linear("B", writes, {});
  launch().linear("A", reads, {}).linear("C", writes, {});
  EXPECT_EQ(text(found()), "[0,2) 16*n -> 12*n\n");
}

TEST_F(Partitions, RowsAndColumnsShareNothingInABlock) {
  launch().plane("A", reads, 0, 0, 0).plane("B", writes, 0, 0, 0);
  launch().transposed("A", reads).plane("C", writes, 0, 0, 0);
  EXPECT_EQ(found().groups.size(), 2u);
}

TEST_F(Partitions, AHaloIsShared) {
  launch().linear("A", reads, {}).linear("B", writes, {});
  launch()
      .linear("A", reads, {.shift = 1, .high = 1})
      .linear("A", reads, {.shift = -1, .low = 1})
      .linear("C", writes, {});
  EXPECT_EQ(text(found()), "[0,2) 16*n -> 12*n\n");
}

TEST_F(Partitions, NothingInCommonIsNoGroup) {
  launch().linear("A", reads, {}).linear("B", writes, {});
  launch().linear("C", reads, {}).linear("D", writes, {});
  EXPECT_EQ(text(found()), "[0,1) 8*n -> 8*n\n[1,2) 8*n -> 8*n\n");
}

TEST_F(Partitions, AProducerOfLessDoesNotCover) {
  launch().linear("B", reads, {}).linear("A", writes, {.high = 1});
  launch().linear("A", reads, {}).linear("C", writes, {});
  // The last element comes from memory, so that A has to be there.
  EXPECT_EQ(text(found()), "[0,2) 16*n -> 12*n\n");
}

TEST_F(Partitions, AProducerThatMayNotWriteDoesNotCover) {
  launch().linear("B", reads, {}).linear("A", writes, {}, false);
  launch().linear("A", reads, {}).linear("C", writes, {});
  EXPECT_EQ(text(found()), "[0,1) 8*n -> 8*n, at most\n[1,2) 8*n -> 8*n\n");
}

TEST_F(Partitions, NeighboursOfAnotherBlockKeepLaunchesApart) {
  launch().linear("A", reads, {}).linear("B", writes, {});
  launch().linear("B", reads, {.shift = -1, .low = 1}).linear("C", writes, {});
  const Partition apart = found();
  EXPECT_EQ(apart.groups.size(), 2u);
  const Glue& verdict = apart.glues.at({0, 1});
  EXPECT_EQ(verdict.answer, Glue::Answer::never);
  ASSERT_TRUE(verdict.meeting);
  EXPECT_EQ(std::abs(verdict.meeting->first[0] - verdict.meeting->second[0]), 1);
  EXPECT_NE(verdict.reason.find("reads B["), std::string::npos) << verdict.reason;
}

TEST_F(Partitions, PlanesAreCountedInTwoParameters) {
  launch().plane("A", reads, 0, 0, 0).plane("B", writes, 0, 0, 0);
  launch().plane("B", reads, 0, 0, 0).plane("C", writes, 0, 0, 0);
  EXPECT_EQ(text(found()), "[0,2) 16*m*n -> 12*m*n, 8*m*n without B\n");
}

TEST_F(Partitions, AStencilBetweenPointwiseLaunches) {
  launch().plane("A", reads, 0, 0, 0).plane("B", writes, 0, 0, 0);
  launch().plane("B", reads, 0, 0, 0).plane("C", writes, 0, 0, 0);
  launch().plane("C", reads, 0, 1, 1).plane("C", reads, 0, -1, 1).plane("D", writes, 0, 0, 1);
  launch().plane("D", reads, 0, 0, 1).plane("E", writes, 0, 0, 1);
  EXPECT_EQ(text(found()),
            "[0,2) 16*m*n -> 12*m*n, 8*m*n without B\n[2,4) 16*m*n -> 12*m*n, 8*m*n without D\n");
}

TEST_F(Partitions, GridsThatDifferAreNotGlued) {
  launch().linear("A", writes, {}).grid_shape = 1;
  launch().linear("A", reads, {}).linear("B", writes, {}).grid_shape = 2;
  const Partition apart = found();
  EXPECT_EQ(apart.groups.size(), 2u);
  EXPECT_NE(apart.glues.at({0, 1}).reason.find("grids"), std::string::npos);
}

TEST_F(Partitions, ARemarkKeepsAKernelApart) {
  launch().linear("A", writes, {});
  launch().linear("A", reads, {}).linear("B", writes, {});
  const std::vector<Launch> both = launches(sequence_);
  model::Kernel printing = *both[1].kernel;
  printing.remarks.push_back({model::Obstacle::printf, {"test.cu", 7, 1}, "it prints"});
  Launch loud = both[1];
  loud.kernel = &printing;
  const Partition apart = partition(std::vector<Launch>{both[0], loud});
  EXPECT_EQ(apart.groups.size(), 2u);
  EXPECT_EQ(apart.glues.at({0, 1}).reason, "test: it prints");
  EXPECT_EQ(apart.glues.at({0, 1}).second.line, 7u);
}

TEST_F(Partitions, SeveralBlocksThatDoTheSame) {
  launch().linear("A", reads, {}).linear("B", writes, {});
  launch().linear("B", reads, {}).linear("A", writes, {});
  std::vector<Launch> both = launches(sequence_);
  EXPECT_EQ(partition(both).glues.at({0, 1}).condition, "the grid has one block along y and z");
  for (Launch& one : both) one.blocks = {0, 1, 1};
  EXPECT_EQ(partition(both).glues.at({0, 1}).condition, "");
  for (Launch& one : both) one.blocks = {0, 2, 1};
  EXPECT_EQ(partition(both).glues.at({0, 1}).answer, Glue::Answer::never);
}

TEST_F(Partitions, PointersThatAreMadeOfOthersMayOverlap) {
  launch().linear("A", reads, {}).linear("B", writes, {});
  launch().linear("C", reads, {}).linear("D", writes, {});
  launch().linear("B", reads, {}).linear("E", writes, {});
  std::vector<Launch> all = launches(sequence_);
  // Arguments: n, m, then arrays. B of the first launch is v2, C of the second v2 + 1.
  all[0].pointees = {{}, {}, memory(1), memory(2)};
  all[1].pointees = {{}, {}, memory(2), memory(4)};
  all[2].pointees = {{}, {}, memory(2), memory(5)};
  const Partition found = partition(all);
  EXPECT_EQ(found.glues.at({0, 1}).answer, Glue::Answer::never);
  EXPECT_EQ(found.glues.at({0, 1}).reason, "B and then C may overlap");
  all[1].pointees[2] = memory(3);
  EXPECT_EQ(partition(all).glues.at({0, 1}).answer, Glue::Answer::always);
  all[1].pointees[2].anywhere = true;
  EXPECT_EQ(partition(all).glues.at({0, 1}).answer, Glue::Answer::never);
}

}  // namespace
}  // namespace gridspan::fusion::test::partition_test
