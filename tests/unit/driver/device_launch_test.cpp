// Respelling of launches in device code: which ones, from where, and that no line moves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_launch.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gridspan::driver {
namespace {

std::string respelled(std::string_view source, std::set<unsigned> lines = {1}) {
  return respell_device_launches(source, lines).value_or("unchanged");
}

TEST(DeviceLaunch, TakesTheWholeName) {
  const std::string g = "(::gridspan_launch(1)->*GRIDSPAN_LAUNCH(";
  EXPECT_EQ(respelled("k<<<1>>>(p);"), g + "k))(p);");
  EXPECT_EQ(respelled("{k <<<1>>> (p);}"), "{" + g + "k )) (p);}");
  EXPECT_EQ(respelled("if (x) a::b<int, (2 > 1)>::k<c<d>><<<1>>>(p);"),
            "if (x) " + g + "a::b<int, (2 > 1)>::k<c<d>>))(p);");
  EXPECT_EQ(respelled("else ::k<<<1>>>(p);"), "else " + g + "::k))(p);");
  EXPECT_EQ(respelled("return A::template k<0><<<1>>>();"),
            "return " + g + "A::template k<0>))();");
  EXPECT_EQ(respelled("x = 1; this->k<<<1>>>();"), "x = 1; " + g + "this->k))();");
  EXPECT_EQ(respelled("(f)<<<1>>>();"), g + "(f)))();");
  EXPECT_EQ(respelled("f[i].g<<<1>>>();"), g + "f[i].g))();");
}

TEST(DeviceLaunch, TakesTheWholeConfiguration) {
  EXPECT_EQ(respelled("k<<<f<a>(1 >> 2), {g[3], 4}, sizeof(v<w<x>>)>>>(p >> 1);"),
            "(::gridspan_launch(f<a>(1 >> 2), {g[3], 4}, sizeof(v<w<x>>))->*GRIDSPAN_LAUNCH(k))"
            "(p >> 1);");
}

TEST(DeviceLaunch, OnlyOnTheLinesAsked) {
  const char* source = "a<<<1>>>();\nb<<<1>>>();\nc\n<<<1>>>(); d<<<1>>>();\n";
  EXPECT_EQ(respelled(source, {2}),
            "a<<<1>>>();\n(::gridspan_launch(1)->*GRIDSPAN_LAUNCH(b))();\nc\n<<<1>>>(); "
            "d<<<1>>>();\n");
  const std::string third = respelled(source, {3});
  EXPECT_NE(third.find("GRIDSPAN_LAUNCH(c\n))();"), std::string::npos);
  EXPECT_NE(third.find("d<<<1>>>"), std::string::npos);
  EXPECT_EQ(respelled(source, {7}), "unchanged");
}

TEST(DeviceLaunch, NoLineMoves) {
  const std::string source = "x;\nk<1,\n 2><<<g(\n1), 2,\n3>>>\n(p);\ny;";
  const std::string text = respelled(source, {2, 3});
  EXPECT_EQ(std::ranges::count(text, '\n'), std::ranges::count(source, '\n'));
  EXPECT_EQ(text.substr(text.rfind('\n')), "\ny;");
}

TEST(DeviceLaunch, NullIsNoNumber) {
  EXPECT_EQ(respelled("k<<<1>>>(NULL, f(NULL), a, NULL); g(NULL);"),
            "(::gridspan_launch(1)->*GRIDSPAN_LAUNCH(k))(nullptr, f(NULL), a, nullptr); g(NULL);");
}

TEST(DeviceLaunch, LeavesCommentsAndLiteralsAlone) {
  for (const char* source : {"// k<<<1>>>(p)", "/* k<<<1>>>(p) */", "\"k<<<1>>>(p)\"",
                             "R\"x(k<<<1>>>(p))x\"", "a <<< b", "k<<<1>>>", "<<<1>>>(p)", ""})
    EXPECT_EQ(respelled(source), "unchanged") << source;
}

TEST(DeviceLaunch, ReadsClangsMessages) {
  const auto lines = refused_launches(
      "a.cu:3:5: error: reference to __global__ function 'k' in __global__ function\n"
      "    3 |     k<<<1, 1>>>();\n"
      "\x1b[1ma dir/b.cuh:7:1: \x1b[0m\x1b[0;1;31merror: \x1b[0mno matching function for call\n"
      "a.cu:1:6: note: candidate function not viable: call to __global__ function from __device__\n"
      "a.cu:9:2: error: reference to __global__ function 'k' in __device__ function\n"
      "m.h:4:20: note: expanded from macro 'M'\n"
      "a.cu:11:2: error: use of undeclared identifier 'x'\n"
      "4 errors generated.\n");
  const std::map<std::string, std::set<unsigned>> want = {
      {"a.cu", {3, 9}}, {"a dir/b.cuh", {7}}, {"m.h", {4}}};
  EXPECT_EQ(lines, want);
}

}  // namespace
}  // namespace gridspan::driver
