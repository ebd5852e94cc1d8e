// Names in messages and reports.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/readable_name.h"

#include <gtest/gtest.h>

using namespace gridspan::support;

TEST(ReadableName, MangledNamesAreDemangled) {
  EXPECT_EQ(readable_name("_Z1kPi"), "k(int*)");
  EXPECT_EQ(readable_name("_Z2tkIfEvPT_i"), "void tk<float>(float*, int)");
}

TEST(ReadableName, KernelsAsOneHaveAllNames) {
  EXPECT_EQ(readable_name("_Z1kPi+plain+_Z1gv"), "k(int*) + plain + g()");
}

TEST(ReadableName, OtherNamesStay) {
  EXPECT_EQ(readable_name("plain"), "plain");
  EXPECT_EQ(readable_name(""), "");
  EXPECT_EQ(readable_name("_Znonsense"), "_Znonsense");
}

TEST(ReadableName, TheSuffixOfPrivateNamesIsLeftOut) {
  EXPECT_EQ(readable_name("_ZL1kPi__intern__b04fd23c98500190"), "k(int*)");
  EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_12avE__static__4fd23c98500190"),
            "(anonymous namespace)::av");
  EXPECT_EQ(without_unit_suffix("table__static__0fabcdef0"), "table");
}

TEST(ReadableName, NumbersOfPrivateNamesAreLeftOut) {
  EXPECT_EQ(readable_name("_ZL5plane.3"), "plane");
  EXPECT_EQ(readable_name("table.12"), "table");
  EXPECT_EQ(readable_name("table."), "table.");
  EXPECT_EQ(readable_name(".1"), ".1");
  EXPECT_EQ(readable_name("42"), "42");
}

TEST(ReadableName, WhatOnlyLooksLikeTheSuffixStays) {
  EXPECT_EQ(without_unit_suffix("table__static__"), "table__static__");
  EXPECT_EQ(without_unit_suffix("table__static__1"), "table__static__1");
  EXPECT_EQ(without_unit_suffix("my__static__table"), "my__static__table");
}
