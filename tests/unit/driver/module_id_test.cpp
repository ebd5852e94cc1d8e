// Module ids: different inputs, different ids; text and bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/module_id.h"

#include <gtest/gtest.h>

#include <cstring>

namespace gridspan::driver {
namespace {

abi::ModuleId id(std::vector<std::string> texts) { return make_module_id(texts); }

TEST(ModuleId, DependsOnEveryTextAndTheirBorders) {
  EXPECT_EQ(id({"a", "b"}), id({"a", "b"}));
  EXPECT_FALSE(id({"a", "b"}) == id({"b", "a"}));
  EXPECT_FALSE(id({"ab", ""}) == id({"a", "b"}));
  EXPECT_FALSE(id({"1:a"}) == id({"", "a"}));
}

TEST(ModuleId, ReadsWhatItWrites) {
  abi::ModuleId one{{0x0123456789abcdef, 7}};
  EXPECT_EQ(to_text(one), "0123456789abcdef0000000000000007");
  EXPECT_EQ(*parse_module_id(to_text(one)), one);
  for (const char* text :
       {"", "0123", "x123456789abcdef0000000000000007", "0123456789abcdef00000000000000071"})
    EXPECT_FALSE(parse_module_id(text)) << text;
}

TEST(ModuleId, TheReferenceIsWhatTheRunTimeExpects) {
  abi::ModuleId one = id({"x"});
  std::string bytes = module_reference_bytes(one);
  ASSERT_EQ(bytes.size(), sizeof(abi::ModuleReference));
  abi::ModuleReference reference;
  std::memcpy(&reference, bytes.data(), sizeof reference);
  EXPECT_EQ(std::string_view(reference.magic, 8), "GRIDSPAN");
  EXPECT_EQ(reference.version, abi::version);
  EXPECT_EQ(reference.id, one);
}

}  // namespace
}  // namespace gridspan::driver
