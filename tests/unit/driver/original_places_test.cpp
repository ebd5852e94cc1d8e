// Messages about changed text in terms of what is on disk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/original_places.h"

#include <gtest/gtest.h>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace gridspan::driver {
namespace {

TEST(OriginalPlaces, MapsColumns) {
  //                          1234567890          12345
  EXPECT_EQ(original_column("ab<+++>cde", "abcde", 1), 1u);
  EXPECT_EQ(original_column("ab<+++>cde", "abcde", 2), 2u);
  EXPECT_EQ(original_column("ab<+++>cde", "abcde", 3), 3u);
  EXPECT_EQ(original_column("ab<+++>cde", "abcde", 5), 3u);
  EXPECT_EQ(original_column("ab<+++>cde", "abcde", 8), 3u);
  EXPECT_EQ(original_column("ab<+++>cde", "abcde", 10), 5u);
  EXPECT_EQ(original_column("acde", "ab<>cde", 4), 7u);
  EXPECT_EQ(original_column("aaa", "aa", 3), 3u);
  EXPECT_EQ(original_column("", "abc", 1), 1u);
}

TEST(OriginalPlaces, TranslatesMessages) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "original_places_test.cu").string();
  std::ofstream(path) << "first\ntemplate int f(int); int x = y;\n";
  Overlay overlay;
  overlay.set(path, "first\ntemplate PUT IN int f(int); int x = y;\n");
  const std::string wrong = path +
                            ":2:37: error: use of undeclared identifier 'y'\n"
                            "    2 | template PUT IN int f(int); int x = y;\n"
                            "      |                                 ~~~ ^\n" +
                            path + ":1:3: note: here\n    1 | first\n      |   ^\n";
  const std::string right = path +
                            ":2:30: error: use of undeclared identifier 'y'\n"
                            "    2 | template int f(int); int x = y;\n"
                            "      |                          ~~~ ^\n" +
                            path + ":1:3: note: here\n    1 | first\n      |   ^\n";
  EXPECT_EQ(in_original_places(wrong, overlay), right);
  EXPECT_EQ(in_original_places("elsewhere.h:2:40: error: x", overlay),
            "elsewhere.h:2:40: error: x");
  EXPECT_EQ(in_original_places(wrong, Overlay()), wrong);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace gridspan::driver
