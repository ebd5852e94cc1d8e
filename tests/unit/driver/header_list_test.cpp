// Make rules as clang prints them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/header_list.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

using Words = std::vector<std::string>;

TEST(HeaderList, ReadsRules) {
  EXPECT_EQ(prerequisites("a.o: a.cu b.h \\\n  c.h\n"), (Words{"a.cu", "b.h", "c.h"}));
  EXPECT_EQ(prerequisites("a.o: in\\ a\\ dir/x\\#1.h d$$.h\n"), (Words{"in a dir/x#1.h", "d$.h"}));
  EXPECT_EQ(prerequisites("a.o:\n"), Words{});
  EXPECT_EQ(prerequisites(""), Words{});
}

}  // namespace
}  // namespace gridspan::driver
