// Names of GPU architectures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/architecture.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

unsigned number(std::string_view text) {
  auto found = parse_architecture(text);
  return found && found->size() == 1 ? found->front().number : 0;
}

TEST(Architecture, EveryFormOfName) {
  EXPECT_EQ(number("sm_80"), 80u);
  EXPECT_EQ(number("compute_61"), 61u);
  EXPECT_EQ(number("lto_75"), 75u);
  EXPECT_EQ(number("86"), 86u);
  EXPECT_EQ(number("sm_90a"), 90u);
  EXPECT_EQ(number("sm_100f"), 100u);
  EXPECT_EQ(number("native"), default_architecture.number);
  EXPECT_EQ(GpuArchitecture{90}.macro(), 900u);
}

TEST(Architecture, RefusesTheRest) {
  for (const char* text : {"", "sm_", "sm_8x", "sm_a", "sm_9", "sm_130", "gfx90a", "sm_80,", "-1"})
    EXPECT_FALSE(parse_architecture(text)) << text;
}

TEST(Architecture, GenerateCode) {
  auto found = parse_generate_code("arch=compute_80,code=[sm_80,compute_80]");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->front().number, 80u);
  EXPECT_TRUE(parse_generate_code("arch=compute_52,code=\"sm_52\""));
  EXPECT_TRUE(parse_generate_code("arch=compute_52"));
  for (const char* text : {"compute_80", "arch=,code=sm_80", "arch=compute_80,code=sm_x"})
    EXPECT_FALSE(parse_generate_code(text)) << text;
}

std::vector<unsigned> real(std::string_view text) {
  std::vector<unsigned> numbers;
  for (const GpuArchitecture one : real_architectures(text)) numbers.push_back(one.number);
  return numbers;
}

TEST(Architecture, RealOnes) {
  using Numbers = std::vector<unsigned>;
  EXPECT_EQ(real("sm_90"), Numbers{90});
  EXPECT_EQ(real("sm_90a,sm_80,sm_90"), (Numbers{90, 80}));
  EXPECT_EQ(real("arch=compute_80,code=[sm_80,compute_80]"), Numbers{80});
  EXPECT_EQ(real("arch=compute_52,code=\"sm_52\""), Numbers{52});
  for (const char* text : {"compute_90", "native", "all", "90", "lto_90", "sm_x"})
    EXPECT_EQ(real(text), Numbers()) << text;
}

}  // namespace
}  // namespace gridspan::driver
