// What launches have in common, and which form is faster.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/observed.h"

#include <gtest/gtest.h>

namespace gridspan::specialise {
namespace {

using support::LaunchCondition;

TEST(LaunchConditions, TextComesBack) {
  const LaunchCondition conditions[] = {
      {}, {{{32, 8, 1}}, {}}, {{}, {{0, 0}, {12, ~0ull}}}, {{{1024, 1, 1}}, {{3, 0x3f800000}}}};
  for (const LaunchCondition& one : conditions)
    EXPECT_EQ(support::parse_condition(to_text(one)), one) << to_text(one);
  EXPECT_EQ(to_text(conditions[3]), "block=1024x1x1,arg3=3f800000");
}

TEST(LaunchConditions, OtherTextDoesNot) {
  for (const char* text : {"block", "block=32x8", "block=32x8x0", "block=32x8x1x1", "arg=3",
                           "argx=3", "arg1=", "arg1=xyz", "arg1=1,arg1=2", "arg1=1,,arg2=3"})
    EXPECT_FALSE(support::parse_condition(text)) << text;
}

/// kernel(float* a, int n, float x)
struct Launches : testing::Test {
  abi::Parameter parameters[3] = {{8, 8, 0, 1}, {4, 4, 8, 0}, {4, 4, 12, 0}};
  abi::Kernel kernel = [this] {
    abi::Kernel made{};
    made.parameters = parameters;
    made.parameter_count = 3;
    return made;
  }();
  float* a = nullptr;
  int n = 0;
  float x = 0;
  const void* arguments[3] = {&a, &n, &x};

  abi::LaunchContext launch(std::uint32_t threads, int n_, float x_) {
    n = n_;
    x = x_;
    abi::LaunchContext made{};
    made.block = {threads, 1, 1};
    made.arguments = arguments;
    return made;
  }
};

TEST_F(Launches, AConditionHoldsForLaunchesLikeIt) {
  const LaunchCondition condition = condition_of(kernel, launch(64, 5, 1.0f));
  EXPECT_EQ(to_text(condition), "block=64x1x1,arg1=5,arg2=3f800000");
  EXPECT_TRUE(holds(condition, kernel, launch(64, 5, 1.0f)));
  EXPECT_FALSE(holds(condition, kernel, launch(32, 5, 1.0f)));
  EXPECT_FALSE(holds(condition, kernel, launch(64, 6, 1.0f)));
  EXPECT_FALSE(holds(condition, kernel, launch(64, 5, -1.0f)));
  EXPECT_FALSE(holds({{}, {{0, 0}}}, kernel, launch(64, 5, 1.0f)));  // a pointer
  EXPECT_FALSE(holds({{}, {{3, 0}}}, kernel, launch(64, 5, 1.0f)));  // not there
}

TEST_F(Launches, WhatDiffersIsNotCommon) {
  specialise::LaunchGroup group(kernel, launch(64, 5, 1.0f));
  group.add(kernel, launch(64, 5, 1.0f), 100);
  EXPECT_EQ(group.nanoseconds(), 100u);
  group.add(kernel, launch(64, 5, 2.0f), 10);
  EXPECT_EQ(to_text(group.common()), "block=64x1x1,arg1=5");
  EXPECT_EQ(group.nanoseconds(), 10u);
  group.add(kernel, launch(64, 5, 3.0f), 10);
  EXPECT_EQ(group.nanoseconds(), 20u);
}

/// Making it takes longer than launches take to be worth it once more.
TEST_F(Launches, AFormIsAskedForOnce) {
  specialise::LaunchGroup group(kernel, launch(64, 7, 2.5f));
  EXPECT_FALSE(group.is_asked_for());
  group.count_build();
  group.add(kernel, launch(64, 7, 2.5f), 1'000'000'000);
  EXPECT_TRUE(group.is_asked_for());
  group.add(kernel, launch(64, 8, 2.5f), 1'000'000'000);
  EXPECT_FALSE(group.is_asked_for());
}

TEST(Trials, TheFormMustNotBeSlower) {
  for (const double form : {50.0, 104.0, 120.0}) {
    Trial trial;
    unsigned launches = 0;
    for (bool decided = false; !decided; ++launches) {
      const bool with_form = trial.is_forms_turn();
      decided = trial.add(with_form, static_cast<std::uint64_t>(with_form ? form * 8 : 800), 8);
    }
    EXPECT_EQ(launches, 8u);
    EXPECT_EQ(trial.verdict(), form < 110 ? Trial::Verdict::faster : Trial::Verdict::slower);
  }
}

}  // namespace
}  // namespace gridspan::specialise
