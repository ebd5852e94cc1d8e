// Rules of compilations that read a precompiled header.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/dependency_rule.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

const std::vector<std::string> headers = {"/ours/cuda_runtime.h", "/ours/x/../y.h", "/ours/y.h"};

std::optional<std::string> mended(std::string_view rule) {
  return without_precompiled_header(rule, "/cache/source.cu", headers);
}

TEST(DependencyRule, TheSourceComesFirstAndHeadersAreAsTheyWere) {
  EXPECT_EQ(mended("a.o: /cache/source.cu /ours/cuda_runtime.h \\\n  /ours/y.h a.cu b.h\n"),
            "a.o: a.cu /ours/cuda_runtime.h /ours/x/../y.h /ours/y.h b.h\n");
  EXPECT_EQ(mended("a.o: /cache/source.cu a.cu b.h\n"), "a.o: a.cu b.h\n");  // -MMD
}

TEST(DependencyRule, KeepsTargetsNamesAndEmptyRules) {
  EXPECT_EQ(mended("my\\ target a$$b: /cache/source.cu a\\ \\#$$b.cu b.h\n/cache/source.cu:\na\\ "
                   "\\#$$b.cu:\n"
                   "b.h:\n"),
            "my\\ target a$$b: a\\ \\#$$b.cu b.h\nb.h:\n");
}

TEST(DependencyRule, LinesAreAsLongAsClangs) {
  const std::string file(30, 'x');
  EXPECT_EQ(mended("a.o: /cache/source.cu " + file + "1 \\\n  " + file + "2 " + file + "3\n"),
            "a.o: " + file + "1 " + file + "2 \\\n  " + file + "3\n");
}

TEST(DependencyRule, OthersAreNone) {
  EXPECT_FALSE(mended(""));
  EXPECT_FALSE(mended("a.o: a.cu b.h\n"));  // without a precompiled header
  EXPECT_FALSE(mended("a.o: /cache/source.cu\n"));
  EXPECT_FALSE(mended("a.o: /cache/source.cu a.cu"));
}

TEST(DependencyRule, OtherPassesAddWhatIsTheirs) {
  EXPECT_EQ(with_prerequisites_of("a.o: a.cu b.h\n", {"x.bc: a.cu b.h c\\ d.h\n", "y: e.h a.cu\n"}),
            "a.o: a.cu b.h c\\ d.h e.h\n");
  EXPECT_EQ(with_prerequisites_of("a.o: a.cu b.h\nb.h:\n", {"x.bc: a.cu c.h\n"}),
            "a.o: a.cu b.h c.h\nb.h:\nc.h:\n");
  EXPECT_EQ(with_prerequisites_of("a.o:  a.cu  b.h\n", {"x.bc: b.h a.cu\n"}), "a.o:  a.cu  b.h\n");
  EXPECT_FALSE(with_prerequisites_of("a.o: a.cu\n", {"no rule"}));
  EXPECT_FALSE(with_prerequisites_of("", {}));
}

}  // namespace
}  // namespace gridspan::driver
