// What a process that ends does first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/first_at_exit.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace gridspan::support {
namespace {

void say_work() { std::fputs("work ", stderr); }
void say_library() { std::fputs("library ", stderr); }

TEST(FirstAtExit, WorkIsDoneBeforeWhatWasRegisteredSince) {
  const auto end = [] {
    be_first_at_exit();  // without work
    set_first_at_exit(say_work);
    be_first_at_exit();
    std::atexit(say_library);
    be_first_at_exit();
    std::exit(3);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(3), "^work library work work $");
}

}  // namespace
}  // namespace gridspan::support
