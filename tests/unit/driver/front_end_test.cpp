// Notes of clang's plug-in as the driver reads and uses them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/front_end.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

TEST(FrontEnd, ReadsCures) {
  const auto cures = read_cures(
      "{\"file\": \"/a b.h\", \"offset\": 12, \"length\": 3, \"text\": \"\\\"x\\\"\"}\n"
      "no JSON\n[1]\n{\"file\": \"/c\", \"offset\": -1, \"length\": 0, \"text\": \"\"}\n"
      "{\"file\": \"/c\", \"length\": 0, \"text\": \"\"}\n"
      "{\"file\": \"/c\", \"offset\": 0, \"length\": 0, \"text\": \"y\"}");
  ASSERT_EQ(cures.size(), 2u);
  EXPECT_EQ(cures[0], (Cure{"/a b.h", 12, 3, "\"x\""}));
  EXPECT_EQ(cures[1], (Cure{"/c", 0, 0, "y"}));
  EXPECT_TRUE(read_cures("").empty());
}

TEST(FrontEnd, AppliesCuresInAnyOrder) {
  EXPECT_EQ(cured("0123456789", {{"", 7, 2, "B"}, {"", 0, 0, "A"}, {"", 10, 0, "C"}}),
            "A0123456B9C");
}

TEST(FrontEnd, TakesARepeatedCureOnce) {
  EXPECT_EQ(cured("abc", {{"", 1, 0, "+"}, {"", 1, 0, "+"}}), "a+bc");
}

TEST(FrontEnd, OfOverlappingCuresTheFirstCounts) {
  EXPECT_EQ(cured("abcdef", {{"", 2, 3, "Y"}, {"", 1, 3, "X"}}), "aXef");
  EXPECT_EQ(cured("abc", {{"", 2, 9, "X"}}), "abc");
}

}  // namespace
}  // namespace gridspan::driver
