// Macros that stand for a `#pragma` line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/pragma_macros.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

TEST(PragmaMacros, BecomeTheOperator) {
  EXPECT_EQ(respell_pragma_macros("int a;\n#define U #pragma unroll\nint b;\n"),
            "int a;\n#define U _Pragma(\"unroll\")\nint b;\n");
  EXPECT_EQ(respell_pragma_macros("  #  define U_4 # pragma  unroll 4 // four"),
            "  #  define U_4 _Pragma(\"unroll 4\")");
  EXPECT_EQ(respell_pragma_macros("#define W #pragma message(\"a\\n\") /* b */ c\r\nx"),
            "#define W _Pragma(\"message(\\\"a\\\\n\\\")   c\")\nx");
}

TEST(PragmaMacros, LinesKeepTheirNumber) {
  EXPECT_EQ(respell_pragma_macros("#define U \\\n #pragma \\\n unroll\nint a;\n"),
            "#define U \\\n _Pragma(\"unroll\")\\\n\nint a;\n");
}

TEST(PragmaMacros, OthersStay) {
  for (const char* source :
       {"#pragma unroll\n", "#define U _Pragma(\"unroll\")\n", "#define U(pragma) #pragma\n",
        "#define U #include <pragma>\n", "#define U #pragmatic\n", "#define U x #pragma unroll\n",
        "// #define U #pragma unroll\n", "#define pragma\n"})
    EXPECT_EQ(respell_pragma_macros(source), std::nullopt) << source;
}

}  // namespace
}  // namespace gridspan::driver
