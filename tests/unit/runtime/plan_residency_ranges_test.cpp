// Ranges for boxes: room is made for them, and they are kept until their memory is wanted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "residency_fixture.h"

namespace gridspan::tests {

namespace {

class RangesTest : public ResidencyTest {
 protected:
  RangesTest() { small.gives_back = true; }
};

TEST_F(RangesTest, WhatWasUsedLongestAgoGoesForThem) {
  VirtualBuffer &a = buffer('a'), &b = buffer('b');
  write(a, 0, 400, 'n');
  EXPECT_TRUE(use(b, 0, 400));
  char* const range = residency->take_range(1, 500);
  ASSERT_NE(range, nullptr);
  EXPECT_EQ(memory_of(a), "---x----");
  EXPECT_EQ(contents[0]->substr(0, 310), std::string(300, 'n') + std::string(10, 'a'));
  EXPECT_EQ(memory_of(b), "xxxx----");
  EXPECT_EQ(small.left, 0u);
  residency->give_back_range(1, range, 500);
  EXPECT_TRUE(residency->drop_ranges(1));
  EXPECT_EQ(small.left, 500u);
  wait();
  small.gives_back = false;
}

TEST_F(RangesTest, WhatTheLaunchNeedsStays) {
  VirtualBuffer& a = buffer('a');
  EXPECT_TRUE(use(a, 0, 600));
  EXPECT_EQ(residency->take_range(1, 500), nullptr);
  EXPECT_EQ(memory_of(a), "xxxxxx--");
  small.gives_back = false;
}

TEST_F(RangesTest, AreKeptUntilTheirMemoryIsWanted) {
  VirtualBuffer& a = buffer('a');
  char* const range = residency->take_range(1, 600);
  residency->give_back_range(1, range, 600);
  EXPECT_EQ(residency->take_range(1, 600), range);
  residency->give_back_range(1, range, 600);
  EXPECT_EQ(small.left, 400u);
  EXPECT_TRUE(use(a, 0, 500));
  EXPECT_EQ(small.left, 500u);
  EXPECT_FALSE(residency->drop_ranges(1));
  EXPECT_EQ(traffic.evicted.copies.get(), 0u);
  small.gives_back = false;
}

TEST_F(RangesTest, AnotherSizeGoesForTheOneThatIsAskedFor) {
  residency->give_back_range(1, residency->take_range(1, 600), 600);
  char* const other = residency->take_range(1, 700);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(small.left, 300u);
  residency->give_back_range(1, other, 700);
  EXPECT_TRUE(residency->drop_ranges(1));
  EXPECT_EQ(small.left, 1000u);
  small.gives_back = false;
}

}  // namespace
}  // namespace gridspan::tests
