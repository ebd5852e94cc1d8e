// Whether launches run on one GPU or on all, with times that are made up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/spread_choice.h"

#include <gtest/gtest.h>

namespace gridspan::runtime {
namespace {

constexpr double us = 1e-6;
constexpr SpreadMachine two{.devices = 2, .memory = 2e12, .link = 1e11, .begin = 4 * us};
constexpr double little = 1e6;  // bytes that a change moves half of

struct SpreadChoiceTest : testing::Test {
  SpreadChoice choice{two};
  abi::Kernel kernel{}, other{};
  SpreadChoice::Kind& kind = choice.kind_of(kernel, 1 << 20);

  SpreadChoiceTest() {
    kernel.name = "kernel";
    other.name = "other";
    kind.forecast = {.divides = true, .seconds = 10 * us, .moved = 0};
  }
  void take_samples(SpreadChoice::Kind& of, double seconds) {
    for (int i = 0; i < 4; ++i) choice.add_sample(of, seconds);
  }
  /// Launches at home until all devices take over, or `most`.
  int launches_at_home(SpreadChoice::Kind& of, int most = 10000, double bytes = little) {
    for (int i = 1; i <= most; ++i)
      if (choice.leaves_home(of, [=] { return bytes; })) return choice.note_change(), i;
    return most;
  }
  /// What so many launches take on all devices, each so many seconds.
  bool returns(SpreadChoice::Kind& of, int launches, double each, double copying = 0) {
    for (int i = 0; i < launches; ++i) choice.note_on_all(of);
    choice.end_interval();
    if (!choice.returns_home(launches * each, copying, little)) return false;
    choice.note_change();
    return true;
  }
};

TEST_F(SpreadChoiceTest, NothingIsKnown) { EXPECT_EQ(launches_at_home(kind), 10000); }

TEST_F(SpreadChoiceTest, ShortLaunchesStay) {
  take_samples(kind, 10 * us);
  EXPECT_FALSE(choice.wants_forecast(choice.kind_of(other, 100)));
  EXPECT_EQ(launches_at_home(kind), 10000);
}

/// 100 us on one, 50 and 8 to begin on two: 39 are gained each time, but for the least gain of 3.
TEST_F(SpreadChoiceTest, GainsAddUpToWhatAChangeCosts) {
  take_samples(kind, 100 * us);
  const double cost = 200 * us + little / 2 / two.link;
  EXPECT_EQ(launches_at_home(kind), static_cast<int>(cost / (39 * us)) + 1);
}

TEST_F(SpreadChoiceTest, MoreDataIsMovedLater) {
  take_samples(kind, 100 * us);
  EXPECT_EQ(launches_at_home(kind, 10000, 1e9), static_cast<int>((200 + 5000) / 39.0) + 1);
}

TEST_F(SpreadChoiceTest, SurelyLargeLaunchesAreDividedAtOnce) {
  kind.forecast->seconds = 10000 * us;
  EXPECT_EQ(launches_at_home(kind), 1);
}

/// What was measured counts, however much longer it was to take.
TEST_F(SpreadChoiceTest, AForecastThatIsTooHighIsForgotten) {
  kind.forecast->seconds = 1500 * us;
  take_samples(kind, 600 * us);
  EXPECT_EQ(launches_at_home(kind), 1);
}

TEST_F(SpreadChoiceTest, WhatMovesEachTimeCounts) {
  kind.forecast->moved = 60 * us;
  take_samples(kind, 100 * us);
  EXPECT_EQ(launches_at_home(kind), 10000);
}

/// Who hopes has code loaded for all devices; a refusal ends that.
TEST_F(SpreadChoiceTest, ARefusalEndsTheHope) {
  EXPECT_FALSE(choice.hopes_for_all());
  take_samples(kind, 100 * us);
  EXPECT_FALSE(choice.leaves_home(kind, [] { return little; }));
  EXPECT_TRUE(choice.hopes_for_all());
  choice.note_refusal(kind);
  EXPECT_FALSE(choice.hopes_for_all());
  EXPECT_EQ(launches_at_home(kind), 10000);
}

TEST_F(SpreadChoiceTest, LaunchesThatAreNotDividedStay) {
  kind.forecast->divides = false;
  take_samples(kind, 1000 * us);
  EXPECT_EQ(launches_at_home(kind), 10000);
}

/// Where little launches lie between large ones, all devices lose on these.
TEST_F(SpreadChoiceTest, LittleLaunchesBetween) {
  SpreadChoice::Kind& short_one = choice.kind_of(other, 32);
  take_samples(short_one, 3 * us);
  take_samples(kind, 100 * us);
  int large = 0;
  for (; large < 1000; ++large) {
    if (choice.leaves_home(kind, [] { return little; })) break;
    for (int i = 0; i < 6; ++i) ASSERT_FALSE(choice.leaves_home(short_one, [] { return little; }));
  }
  EXPECT_EQ(large, 1000);
}

TEST_F(SpreadChoiceTest, ALossIsFoundOut) {
  take_samples(kind, 100 * us);
  launches_at_home(kind);
  EXPECT_FALSE(returns(kind, 64, 900 * us));  // data moves, launches are planned
  EXPECT_TRUE(returns(kind, 64, 150 * us));
  EXPECT_EQ(launches_at_home(kind), 10000);  // and remembered
  EXPECT_NE(choice.reason().find("'kernel': 0.100 ms on one device, 0.150 ms on all"),
            std::string::npos)
      << choice.reason();
}

/// One of the devices was slow for a while.
TEST_F(SpreadChoiceTest, ALossIsLookedAtAgainMuchLater) {
  take_samples(kind, 100 * us);
  launches_at_home(kind);
  returns(kind, 64, 150 * us);
  ASSERT_TRUE(returns(kind, 64, 150 * us));
  const int first = launches_at_home(kind, 1'000'000);
  EXPECT_GT(first, 10'000);
  EXPECT_LT(first, 100'000);
  EXPECT_FALSE(returns(kind, 64, 150 * us));
  ASSERT_TRUE(returns(kind, 64, 150 * us));
  EXPECT_GT(launches_at_home(kind, 1'000'000), 3 * first);  // ever more seldom
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(returns(kind, 64, 60 * us));
}

/// The other way: on all devices home was slow, or is now.
TEST_F(SpreadChoiceTest, AHomeDeviceThatGetsSlowIsHelped) {
  take_samples(kind, 14 * us);
  EXPECT_EQ(launches_at_home(kind), 10'000);
  choice.add_sample(kind, 140 * us);
  EXPECT_EQ(launches_at_home(kind), 10'000);  // once is no reason
  choice.add_sample(kind, 150 * us);
  EXPECT_LT(launches_at_home(kind), 100);
}

/// The driver was busy when the launch was timed.
TEST_F(SpreadChoiceTest, AnOddTimeIsNotBelieved) {
  choice.add_sample(kind, 1200 * us);
  EXPECT_EQ(launches_at_home(kind), 10'000);
  choice.add_sample(kind, 12 * us);
  EXPECT_EQ(launches_at_home(kind), 10'000);
  SpreadChoice::Kind& latency_bound = choice.kind_of(other, 1 << 20);
  latency_bound.forecast = {.divides = true, .seconds = 10 * us, .moved = 0};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(launches_at_home(latency_bound, 100), 100);
    choice.add_sample(latency_bound, 1200 * us);
  }
  EXPECT_LT(launches_at_home(latency_bound), 10);
}

TEST_F(SpreadChoiceTest, AGainStays) {
  take_samples(kind, 100 * us);
  launches_at_home(kind);
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(returns(kind, 64, 60 * us));
}

/// What a forecast of a kernel was wrong by holds for its other sizes.
TEST_F(SpreadChoiceTest, OtherSizes) {
  take_samples(kind, 100 * us);
  launches_at_home(kind);
  returns(kind, 64, 150 * us);
  ASSERT_TRUE(returns(kind, 64, 150 * us));
  SpreadChoice::Kind& larger = choice.kind_of(kernel, 1 << 21);
  larger.forecast = kind.forecast;
  take_samples(larger, 200 * us);
  EXPECT_EQ(launches_at_home(larger), 10000);  // forecast: 108 on all, and by 2.6 too little
  SpreadChoice::Kind& of_other = choice.kind_of(other, 1 << 21);
  of_other.forecast = kind.forecast;
  take_samples(of_other, 200 * us);
  EXPECT_LT(launches_at_home(of_other), 100);
}

/// Short launches that only all devices did are tried on one, when they took longer than that
/// costs.
TEST_F(SpreadChoiceTest, OneDeviceIsTried) {
  choice.note_change();
  EXPECT_FALSE(returns(kind, 10, 60 * us));
  EXPECT_FALSE(returns(kind, 10, 60 * us));
  EXPECT_TRUE(returns(kind, 1000, 60 * us));
}

TEST_F(SpreadChoiceTest, OneDeviceIsNotTriedForLongLaunches) {
  choice.note_change();
  EXPECT_FALSE(returns(kind, 10, 10000 * us));
  EXPECT_FALSE(returns(kind, 1000, 10000 * us));
  EXPECT_TRUE(returns(kind, 1000, 10000 * us, 5));  // unless half of that is copying
}

TEST_F(SpreadChoiceTest, AChangeThatIsPutOffGetsDearer) {
  take_samples(kind, 100 * us);
  const auto leaves = [&] { return choice.leaves_home(kind, [] { return little; }); };
  int first = 1, second = 1;
  while (!leaves()) ++first;
  choice.note_put_off();
  while (!leaves()) ++second;
  EXPECT_GT(second, 3 * first);
}

TEST_F(SpreadChoiceTest, AnIntervalHasManyLaunchesOrTakesLong) {
  const auto launches_of_interval = [&](SpreadChoice::Kind& of) {
    int launches = 0;
    for (; !choice.is_interval(); ++launches) choice.note_on_all(of);
    choice.end_interval();
    return launches;
  };
  EXPECT_EQ(launches_of_interval(kind), 4);  // they may take anything
  kind.all = 20 * us;
  EXPECT_EQ(launches_of_interval(kind), 64);
  SpreadChoice::Kind& slow = choice.kind_of(other, 1 << 20);
  slow.all = 1500 * us;
  EXPECT_EQ(launches_of_interval(slow), 7);
  slow.all = 1;
  EXPECT_EQ(launches_of_interval(slow), 4);
}

TEST_F(SpreadChoiceTest, LaunchesOfUnknownLengthWaitForThoseBefore) {
  const auto waits = [&] {
    choice.note_on_all(kind);
    return choice.wants_time(kind);
  };
  for (int i = 1; i <= 16; ++i) EXPECT_EQ(waits(), i % 8 == 0) << i;
  choice.note_late(kind);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(waits()) << i;
  SpreadChoice::Kind& known = choice.kind_of(other, 1 << 20);
  known.all = 20 * us;
  for (int i = 0; i < 20; ++i) {
    choice.note_on_all(known);
    EXPECT_FALSE(choice.wants_time(known)) << i;
  }
}

/// So that something is known before a program has launched all that it will.
TEST_F(SpreadChoiceTest, LaunchesWaitForTheFirstTimes) {
  EXPECT_FALSE(choice.waits_for_samples(kind));
  for (int i = 0; i < 4; ++i) choice.note_sample(kind);
  EXPECT_TRUE(choice.waits_for_samples(kind));
  choice.add_sample(kind, 5 * us);
  EXPECT_FALSE(choice.waits_for_samples(kind));
}

TEST_F(SpreadChoiceTest, APromiseIsWhatALaunchTakesThatGains) {
  EXPECT_EQ(choice.promise(kind), 0);  // nobody knows
  take_samples(kind, 10 * us);
  EXPECT_EQ(choice.promise(kind), 0);
  SpreadChoice::Kind& longer = choice.kind_of(other, 1 << 20);
  take_samples(longer, 100 * us);
  EXPECT_EQ(choice.promise(longer), 0);  // whether it can be divided is not known
  longer.forecast = {.divides = true, .seconds = 10 * us, .moved = 0};
  EXPECT_DOUBLE_EQ(choice.promise(longer), 100 * us);
  longer.all = 98 * us;
  EXPECT_EQ(choice.promise(longer), 0);
  SpreadChoice random(two, 7);
  SpreadChoice::Kind& any = random.kind_of(other, 1 << 20);
  any = longer;
  any.all = 0;
  EXPECT_EQ(random.promise(any), 0);
}

TEST_F(SpreadChoiceTest, SamplesAreFew) {
  int samples = 0;
  for (int i = 0; i < 1000; ++i) {
    choice.leaves_home(kind, [] { return little; });
    if (!choice.wants_sample(kind)) continue;
    choice.note_sample(kind);
    ++samples;
  }
  EXPECT_GE(samples, 4);
  EXPECT_LE(samples, 12);
}

TEST_F(SpreadChoiceTest, AtRandom) {
  const auto changes = [&](std::uint32_t seed) {
    SpreadChoice random(two, seed);
    SpreadChoice::Kind& of = random.kind_of(kernel, 100);
    std::string text;
    for (int i = 0; i < 200; ++i) text += random.leaves_home(of, [] { return little; }) ? '1' : '0';
    return text;
  };
  EXPECT_EQ(changes(1), changes(1));
  EXPECT_NE(changes(1), changes(2));
  EXPECT_NE(changes(1).find('1'), std::string::npos);
}

}  // namespace
}  // namespace gridspan::runtime
