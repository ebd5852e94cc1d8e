// Which of clang's warnings are errors all the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/leniency.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

void expect(const std::string& said, const std::string& want, bool refusal) {
  bool refused = false;
  EXPECT_EQ(with_refusals(said, refused), want);
  EXPECT_EQ(refused, refusal) << said;
}

TEST(Leniency, NarrowingInListsIsAWarning) {
  for (const std::string text :
       {"non-constant-expression cannot be narrowed from type 'int' to 'float' in initializer list",
        "type 'double' cannot be narrowed to 'int' in initializer list",
        "constant expression evaluates to 300 which cannot be narrowed to type 'char'"}) {
    const std::string said = "a.cu:1:2: warning: " + text + " [-Wc++11-narrowing]\n";
    expect(said, said, false);
  }
}

TEST(Leniency, NarrowingOfConstantsIsAnError) {
  for (const std::string text :
       {"non-type template argument evaluates to 300, which cannot be narrowed to type 'char'",
        "case value cannot be narrowed from type 'double' to 'int'",
        "enumerator value evaluates to -1, which cannot be narrowed to type 'unsigned int'"})
    expect("a.cu:1:2: warning: " + text + " [-Wc++11-narrowing]\n    1 | x\n",
           "a.cu:1:2: error: " + text + " [-Wc++11-narrowing]\n    1 | x\n", true);
}

TEST(Leniency, OnlyAValueTooManyIsAnError) {
  expect("a.cu:1:2: warning: void function 'f' should not return a value [-Wreturn-mismatch]\n",
         "a.cu:1:2: error: void function 'f' should not return a value [-Wreturn-mismatch]\n",
         true);
  const std::string missing =
      "a.cu:1:2: warning: non-void function 'f' should return a value [-Wreturn-mismatch]\n";
  expect(missing, missing, false);
}

TEST(Leniency, ColoursAndOtherMessagesStay) {
  expect(
      "a.cu:1:1: warning: other\n\033[1ma.cu:1:2: \033[0m\033[0;1;35mwarning: \033[0m\033[1m"
      "array size evaluates to 3, which cannot be narrowed to type 'x' [-Wc++11-narrowing]\n",
      "a.cu:1:1: warning: other\n\033[1ma.cu:1:2: \033[0m\033[0;1;31merror: \033[0m\033[1m"
      "array size evaluates to 3, which cannot be narrowed to type 'x' [-Wc++11-narrowing]\n",
      true);
}

}  // namespace
}  // namespace gridspan::driver
