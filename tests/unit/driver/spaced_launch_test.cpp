// Respelling of launches: what changes, what must not, and that nothing moves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/spaced_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace gridspan::driver {
namespace {

std::string unspaced(std::string_view source) {
  return respell_launches(source).value_or(std::string(source));
}

TEST(SpacedLaunch, MovesTheBlanksBehindTheBracket) {
  EXPECT_EQ(unspaced("k << < 1, 1 >> > (p);"), "k <<<  1, 1 >>>  (p);");
  EXPECT_EQ(unspaced("k<< <1, 1>> >(p);"), "k<<< 1, 1>>> (p);");
  EXPECT_EQ(unspaced("k <<\n  < 1, 1 >>\t> (p);"), "k <<<\n    1, 1 >>>\t (p);");
}

TEST(SpacedLaunch, MixesWithTheUsualSpelling) {
  EXPECT_EQ(unspaced("k<<<1, 1>> >(p); k<< <1, 1>>>(p);"), "k<<<1, 1>>> (p); k<<< 1, 1>>>(p);");
}

TEST(SpacedLaunch, KnowsTemplateArgumentsInsideALaunch) {
  EXPECT_EQ(unspaced("k << <A<B<C<int>> >::v, 1>> >(p);"), "k <<< A<B<C<int>>> ::v, 1>>> (p);");
}

TEST(SpacedLaunch, LeavesOtherTokensAlone) {
  for (const char* source :
       {"std::vector<std::vector<std::vector<int>> > v;", "a << b; c >> d; e < f;",
        "ostream& operator<< <int>(ostream&, A<int>);", "x.operator>> <T>();", "a <<= b; a >>= b;",
        "k<<<1, 1>>>(p);", "template <class T, class U = A<B<T>> > struct X;", "a < b > (c)", ""})
    EXPECT_FALSE(respell_launches(source)) << source;
}

TEST(SpacedLaunch, LeavesCommentsAndLiteralsAlone) {
  for (const char* source : {"// k << <1, 1>> >(p)\n", "/* k << <1, 1>> >(p) */",
                             "\"k << <1, 1>> >(p)\"", "R\"(\" k << <1, 1>> >(p))\"",
                             "u8R\"x()\" k << <1>> >)x\"", "// a \\\n k << <1, 1>> >(p)\n",
                             "\"\\\" k << <1, 1>> >(p)\"", "'\"'; // k << <1, 1>> >(p)"})
    EXPECT_FALSE(respell_launches(source)) << source;
}

TEST(SpacedLaunch, ReadsOnAfterLiterals) {
  for (const char* before : {"'\"' ", "1'000'000 ", "\"\\\\\" ", "R\"()\" ", "/* \" */ ", "'\\'' ",
                             "#error don't\n", "0x1'F ", "u'\"' "}) {
    std::string source = std::string(before) + "k << <1, 1>> >(p);";
    EXPECT_EQ(unspaced(source), std::string(before) + "k <<< 1, 1>>> (p);");
  }
}

/// Every character but brackets and blanks, with its line and column.
std::vector<std::tuple<int, int, char>> places(const std::string& text) {
  std::vector<std::tuple<int, int, char>> found;
  int line = 1, column = 1;
  for (char c : text) {
    if (c != '<' && c != '>' && c != ' ' && c != '\n') found.emplace_back(line, column, c);
    line += c == '\n';
    column = c == '\n' ? 1 : column + 1;
  }
  return found;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

/// For any sequence of tokens (no `{`, which may get `dim3` in front): everything keeps its line
/// and column, and only blanks differ.
TEST(SpacedLaunch, NeverMovesAnythingElse) {
  const std::vector<std::string> tokens = {
      "<<", "<",  ">>", ">",  " ",   "\n",  "(",    ")",   ",",        "k",  ";", "\"", "'",
      "1",  "//", "/*", "*/", "<<<", ">>>", "R\"(", ")\"", "operator", "\\", "[", "]",  "}"};
  std::mt19937 random(20240607);
  for (int round = 0; round < 20000; ++round) {
    std::string source;
    for (int i = 0; i < 25; ++i) source += tokens[random() % tokens.size()];
    std::string result = unspaced(source);
    ASSERT_EQ(places(result), places(source)) << source;
    ASSERT_EQ(without_blanks(result), without_blanks(source)) << source;
  }
}

}  // namespace
TEST(LateAlignas, FollowsAMemorySpace) {
  EXPECT_EQ(respell_launches("__shared__ alignas(16) char s[4];"),
            "__shared__ _Alignas(16) char s[4];");
  EXPECT_EQ(respell_launches("extern __shared__  alignas(16) char s[];"),
            "extern __shared__ _Alignas(16) char s[];");
  EXPECT_EQ(respell_launches("__device__\nalignas(T) int x;"), "__device__\n_Alignas(T) int x;");
}

TEST(LateAlignas, StaysElsewhere) {
  for (const char* source : {"alignas(16) __shared__ char s[4];", "struct alignas(16) S {};",
                             "// __shared__ alignas(16) char s;", "\"__shared__ alignas(1)\""})
    EXPECT_EQ(respell_launches(source), std::nullopt) << source;
}

TEST(BracedLaunch, NamesTheListsType) {
  EXPECT_EQ(respell_launches("k<<<{2, 1}, {33}>>>(a, {1});"),
            "k<<<dim3{2, 1}, dim3{33}>>>(a, {1});");
  EXPECT_EQ(respell_launches("k<<<1, { f(1, 2) }, 0>>>();"), "k<<<1, dim3{ f(1, 2) }, 0>>>();");
  EXPECT_EQ(respell_launches("k<<<f({1}), dim3{2}>>>(a);"), std::nullopt);
}

TEST(SinglePercent, IsDoubledBeforeSpecialRegisters) {
  EXPECT_EQ(unspaced(R"(asm volatile("mov.u32 %0, %laneid;" : "=r"(x));)"),
            R"(asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));)");
  EXPECT_EQ(unspaced("__asm__(\"mov.u32 %0, \"\n  \"%tid.x;\\n\\t\" : );"),
            "__asm__(\"mov.u32 %0, \"\n  \"%%tid.x;\\n\\t\" : );");
}

TEST(SinglePercent, StaysElsewhere) {
  for (const char* source :
       {R"(asm("mov.u32 %0, %%laneid;" : "=r"(x));)", R"(asm("mov.u32 x, %laneid;");)",
        R"(asm("movb %b1, %h0" : "=r"(x) : "r"(y));)", R"(printf("%clock: %d", x);)",
        R"(asm("mov %0, %[tid];" : "=r"(x) : [tid] "r"(y));)", R"(// asm("%tid.x" : );)"})
    EXPECT_EQ(respell_launches(source), std::nullopt) << source;
}

}  // namespace gridspan::driver
