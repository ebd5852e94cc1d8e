// The text of launches that are to be one kernel: it comes back, and other texts are refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/fused_launches.h"

#include <gtest/gtest.h>

namespace gridspan {
namespace {

using support::FusedLaunches;
using support::parse_fused_launches;

FusedLaunches two() {
  FusedLaunches all;
  all.launches = {{"_Z1fPfi", {0, 1}}, {"_Z1gPfS_i", {2, 0, 1}}};
  all.one_block = {false, true, true};
  all.one_thread = {false, false, true};
  all.dead = {0};
  return all;
}

TEST(FusedLaunches, TextsComeBack) {
  EXPECT_EQ(to_text(two()), "_Z1fPfi(0,1)+_Z1gPfS_i(2,0,1)/blocks=yz/threads=z/dead=0");
  EXPECT_EQ(parse_fused_launches(to_text(two())), two());
  FusedLaunches bare;
  bare.launches = {{"f", {}}, {"f", {}}, {"g", {0}}};
  EXPECT_EQ(to_text(bare), "f()+f()+g(0)/blocks=/threads=/dead=");
  EXPECT_EQ(parse_fused_launches(to_text(bare)), bare);
}

TEST(FusedLaunches, NamesAndValues) {
  EXPECT_EQ(two().name(), "_Z1fPfi+_Z1gPfS_i");
  EXPECT_EQ(two().value_count(), 3);
}

TEST(FusedLaunches, OtherTextsAreRefused) {
  for (const char* text :
       {"", "f()", "f()/blocks=/threads=/dead=", "f+g/blocks=/threads=/dead=",
        "f(0)+g(2)/blocks=/threads=/dead=", "f(1)+g(0)/blocks=/threads=/dead=",
        "f(0,)+g(0)/blocks=/threads=/dead=", "f(0)+g(-1)/blocks=/threads=/dead=",
        "f(0)+(0)/blocks=/threads=/dead=", "f(0)+g(0)/blocks=w/threads=/dead=",
        "f(0)+g(0)/threads=/blocks=/dead=", "f(0)+g(0)/blocks=/threads=",
        "f(0)+g(0)/blocks=/threads=/dead=1", "f(0)+g(0)/blocks=/threads=/dead=x"})
    EXPECT_FALSE(parse_fused_launches(text)) << text;
}

}  // namespace
}  // namespace gridspan
