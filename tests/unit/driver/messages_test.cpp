// Merging of the two passes' messages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/messages.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

constexpr char shared[] =
    "In file included from a.cu:1:\n"
    "./b.h:2:3: error: wrong\n"
    "    2 |   wrong\n"
    "      |   ^\n"
    "In file included from a.cu:1:\n"
    "./c.h:1:1: note: declared here\n"
    "    1 | int x;\n";

TEST(Messages, WhatBothSayIsSaidOnce) {
  std::string host = std::string(shared) + "1 error generated when compiling for host.\n";
  std::string device = std::string(shared) + "1 error generated when compiling for sm_90.\n";
  EXPECT_EQ(merge_messages(host, device), std::string(shared) + "1 error generated.\n");
}

TEST(Messages, ColoursDoNotMakeThemDiffer) {
  std::string colored = "\033[1ma.cu:1:2: \033[0;1;31merror: \033[0mwrong\033[0m\n";
  EXPECT_EQ(merge_messages(colored, "a.cu:1:2: error: wrong\n"), colored + "1 error generated.\n");
}

TEST(Messages, EachSidesOwnAreKeptWithTheirNotes) {
  std::string host = "a.cu:1:1: warning: host\n";
  std::string device =
      "a.cu:2:1: error: device\na.cu:3:1: note: because\na.cu:1:1: warning: host\n";
  EXPECT_EQ(merge_messages(host, device),
            "a.cu:1:1: warning: host\na.cu:2:1: error: device\na.cu:3:1: note: because\n"
            "1 warning and 1 error generated.\n");
}

TEST(Messages, AHeaderOfALibraryThatIsMissingIsExplained) {
  std::string missing = "a.cu:1:10: fatal error: 'thrust/sort.h' file not found\n";
  const std::string text = merge_messages(missing, missing);
  EXPECT_TRUE(text.starts_with(missing + "note: CUB and Thrust are open source: install"));
  EXPECT_EQ(text.find("libthrust-dev"), text.rfind("libthrust-dev"));
  std::string twister = "a.cu:1:10: fatal error: 'curand_mtgp32_host.h' file not found\n";
  EXPECT_NE(merge_messages(twister, "").find("no MTGP32 for kernels"), std::string::npos);
  std::string vendors = "a.cu:1:10: fatal error: 'nvjpeg.h' file not found\n";
  EXPECT_NE(merge_messages(vendors, "").find("that Gridspan does not have"), std::string::npos);
  std::string own = "a.cu:1:10: fatal error: 'my.h' file not found\n";
  EXPECT_EQ(merge_messages(own, own), own + "1 error generated.\n");
}

TEST(Messages, LinesWithoutPlaceAreKept) {
  std::string crash = "Stack dump:\n0. clang\n";
  EXPECT_EQ(merge_messages("", crash), crash);
  std::string driver = "clang++-19: error: unknown argument: '-fnonsense'\n";
  EXPECT_EQ(merge_messages(driver, driver), driver + "1 error generated.\n");
  EXPECT_EQ(merge_messages("", ""), "");
}

TEST(Messages, SnippetsThatLookLikeMessagesAreSnippets) {
  std::string text = "a.cu:1:1: error: x\n    1 | puts(\"b.cu:1:1: error: y\");\n";
  EXPECT_EQ(split_messages(text).size(), 1u);
}

}  // namespace
}  // namespace gridspan::driver
