// PTX in two: kernels, and their clones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/ptx.h"

#include <gtest/gtest.h>

#include <string>

namespace gridspan::tests {
namespace {

using devices::cuda::divide;

const std::string head = "//\n.version 8.3\n.target sm_70\n.address_size 64\n\n";
const std::string function =
    ".func  (.param .b32 out) helper(\n\t.param .b32 in\n)\n{\n\tret;\n}\n\n";

std::string entry(const std::string& name) {
  return ".visible .entry " + name + "(\n\t.param .u64 " + name +
         "_param_0\n)\n{\n\t{\n\tld.global.f32 %f1, [%rd1];\n\t}\n\tret;\n\n}\n";
}

TEST(Ptx, IsDividedInThree) {
  const auto [kernels, parts, packed] =
      divide(head + function + entry("one") + "// between\n" + entry("one$part") + entry("two") +
             entry("two$part") + entry("two$packed") + "// end\n");
  EXPECT_EQ(kernels, head + function + entry("one") + "// between\n" + entry("two") + "// end\n");
  EXPECT_EQ(parts,
            head + function + "// between\n" + entry("one$part") + entry("two$part") + "// end\n");
  EXPECT_EQ(packed, head + function + "// between\n" + entry("two$packed") + "// end\n");
}

TEST(Ptx, WithoutClonesThereIsNothingToDivide) {
  EXPECT_EQ(divide(head + function + entry("one")).kernels, "");
  EXPECT_EQ(divide("").kernels, "");
}

/// Two of a variable would be two variables.
TEST(Ptx, WithVariablesStaysWhole) {
  const std::string entries = entry("one") + entry("one$part");
  for (const std::string variable :
       {".visible .global .align 4 .u32 counter = 5;\n", ".global .align 4 .u32 _ZZ3onevE5calls;\n",
        ".extern .global .align 4 .u32 elsewhere;\n", ".weak .global .align 1 .b8 table[4];\n"}) {
    EXPECT_EQ(divide(head + variable + entries).kernels, "") << variable;
  }
}

TEST(Ptx, TextsOfPrintfMayBeThereTwice) {
  const std::string texts =
      ".global .align 1 .b8 $str[6] = {104, 0};\n"
      ".global .align 1 .b8 __unnamed_1[3] = {97, 0};\n"
      ".extern .func  (.param .b32 r) vprintf(\n\t.param .b64 f\n)\n;\n";
  const auto [kernels, parts, packed] = divide(head + texts + entry("one") + entry("one$part"));
  EXPECT_EQ(kernels, head + texts + entry("one"));
  EXPECT_EQ(parts, head + texts + entry("one$part"));
  EXPECT_EQ(packed, "");  // nothing to load
}

/// A brace of the program's own may stand where a body's end would.
TEST(Ptx, WithInlineAssemblyStaysWhole) {
  const std::string assembly =
      "\t// begin inline asm\n\t{\n.reg .pred p;\n}\n\n\t// end inline asm\n";
  std::string with_assembly = entry("one");
  with_assembly.insert(with_assembly.find("\tret;"), assembly);
  EXPECT_EQ(divide(head + with_assembly + entry("one$part")).kernels, "");
}

TEST(Ptx, WithoutAnEndStaysWhole) {
  EXPECT_EQ(divide(head + entry("one$part") + ".visible .entry two()\n{\n\tret;\n").kernels, "");
}

}  // namespace
}  // namespace gridspan::tests
