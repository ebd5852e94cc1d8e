// Modules as text: any bytes come back, damage is noticed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/module_text.h"

#include <gtest/gtest.h>

#include <random>

namespace gridspan::support {
namespace {

std::string bytes_of(std::size_t size) {
  std::mt19937 random(static_cast<unsigned>(size));
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random());
  return bytes;
}

TEST(ModuleText, BringsBackAnyBytes) {
  for (const std::size_t size : {0, 1, 2, 3, 4, 56, 57, 58, 59, 114, 1000, 4099}) {
    const std::string bytes = bytes_of(size), text = to_module_text(bytes);
    EXPECT_TRUE(is_module_text(text));
    EXPECT_EQ(text.find('\0'), std::string::npos);
    const auto back = from_module_text((text + "more").c_str());
    ASSERT_TRUE(back.has_value()) << size;
    EXPECT_EQ(*back, bytes) << size;
  }
}

TEST(ModuleText, IsBase64) {
  const std::string text = to_module_text("Man" + std::string("\0\xff", 2));
  EXPECT_NE(text.find("\n//:TWFuAP8=\n//.\n"), std::string::npos) << text;
}

TEST(ModuleText, NoticesDamage) {
  const std::string text = to_module_text(bytes_of(200));
  EXPECT_FALSE(from_module_text(text.substr(0, text.size() - 4).c_str()));
  EXPECT_FALSE(from_module_text(text.substr(0, 150).c_str()));
  EXPECT_FALSE(from_module_text(""));
  std::string wrong = text;
  wrong[text.find("//:") + 9] = '*';
  EXPECT_FALSE(from_module_text(wrong.c_str()));
  EXPECT_FALSE(is_module_text(".version 8.0"));
}

TEST(ModuleText, TakesOtherLineEnds) {
  std::string text;
  for (const char c : to_module_text("some bytes"))
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(from_module_text(text.c_str()).value_or(""), "some bytes");
}

}  // namespace
}  // namespace gridspan::support
