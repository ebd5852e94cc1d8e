// Settings to text and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tune_file.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

using codegen::KernelSettings;

TEST(TuneFile, ReadsWhatItWrites) {
  KernelSettings settings{256, 2, 4096, 48, {"panels", "joins"}};
  const std::string text = to_tune_text({{{"_Z1f", "f.cu", "12ab", "x86-64-v4", settings}, 12.5, 3},
                                         {{"_Z1g", "g.cu", "34", "", {}}, 0, 0}});
  auto read = parse_tune_text(text, "app.tune");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 2u);
  const codegen::TunedKernel& first = read->front();
  EXPECT_EQ(first.kernel, "_Z1f");
  EXPECT_EQ(first.source, "f.cu");
  EXPECT_EQ(first.code, "12ab");
  EXPECT_EQ(first.cpu, "x86-64-v4");
  EXPECT_EQ(first.settings, settings);
  EXPECT_EQ(read->back().settings, KernelSettings{});
}

TEST(TuneFile, ErrorsNameTheLine) {
  const std::string good = R"({"kernel": "f", "settings": {}})";
  auto line_of = [&](const std::string& line) {
    auto read = parse_tune_text(good + "\n\n" + line + "\n" + good, "app.tune");
    return read ? std::string() : read.error().message.substr(0, 11);
  };
  EXPECT_EQ(line_of(good), "");
  for (const char* bad :
       {"{", "[]", "{}", R"({"kernel": "f"})", R"({"kernel": "f", "settings": 3})",
        R"({"kernel": "f", "settings": {"rows": "two"}})",
        R"({"kernel": "f", "settings": {"vector_bits": 64}})",
        R"({"kernel": "f", "settings": {"without": "rows"}})",
        R"({"kernel": "f", "settings": {"without": [1]}})", R"({"gridspan_tune": 7})"})
    EXPECT_EQ(line_of(bad), "app.tune:3:") << bad;
}

TEST(TuneFile, OnlyAFileThatIsNamedMustBeThere) {
  EXPECT_TRUE(read_tune_file("/nonexistent.tune", false));
  EXPECT_FALSE(read_tune_file("/nonexistent.tune", true));
}

TEST(KernelSettings, AreSaidInWords) {
  EXPECT_EQ(codegen::describe({}), "");
  EXPECT_EQ(codegen::describe({.rows = 1, .without = {"joins", "wide"}}),
            "rows of threads in groups of at most 1, without joins, without wide");
}

}  // namespace
}  // namespace gridspan::driver
