// Values of -Xcompiler and the like.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/invocation.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

using Words = std::vector<std::string>;

TEST(SplitList, SplitsAtCommasAndBlanks) {
  EXPECT_EQ(split_list("-fopenmp,-O3"), (Words{"-fopenmp", "-O3"}));
  EXPECT_EQ(split_list(" -a  -b,\t-c, "), (Words{"-a", "-b", "-c"}));
  EXPECT_EQ(split_list(""), Words{});
}

TEST(SplitList, QuotesAndBackslashesProtect) {
  EXPECT_EQ(split_list("-DX='a, b',-c"), (Words{"-DX=a, b", "-c"}));
  EXPECT_EQ(split_list("-Wl\\,-rpath\\,/x"), (Words{"-Wl,-rpath,/x"}));
  EXPECT_EQ(split_list("-DS=\\\"text\\\""), (Words{"-DS=\"text\""}));
  EXPECT_EQ(split_list("''"), (Words{""}));
}

}  // namespace
}  // namespace gridspan::driver
