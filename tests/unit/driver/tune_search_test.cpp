// The search against made-up compilers and machines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tune_search.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace gridspan::driver {
namespace {

using codegen::KernelSettings;

/// A machine on which a kernel's launches take what `cost` says.
class Machine final : public Workbench {
 public:
  using Cost =
      std::function<double(const std::string& kernel, const KernelSettings&, unsigned run)>;
  Machine(std::vector<std::string> kernels, Cost cost)
      : kernels_(std::move(kernels)), cost_(std::move(cost)) {}

  support::Result<Build> compile(const ByKernel<KernelSettings>& settings) override {
    builds_.push_back(settings);
    Build build{static_cast<unsigned>(builds_.size() - 1), {}};
    for (const std::string& kernel : kernels_)
      build.forms[kernel] = codegen::describe(of(build.number, kernel));
    return build;
  }
  support::Result<void> keep(const Build& build) override {
    kept_.insert(build.number);
    return {};
  }
  support::Result<LaunchTimes> run(const Build& build) override {
    EXPECT_TRUE(kept_.contains(build.number));
    ++runs;
    if (fails_at == runs) return support::fail("exit status 1");
    LaunchTimes times;
    for (const std::string& kernel : kernels_)
      times[kernel] = {cost_(kernel, of(build.number, kernel), runs),
                       cost_(kernel, of(build.number, kernel), runs + 1)};
    return times;
  }
  void say(const std::string& line) override { said += line + "\n"; }
  std::string readable(const std::string& kernel) const override { return kernel + "()"; }

  unsigned runs = 0, fails_at = 0;
  std::string said;

 private:
  KernelSettings of(unsigned build, const std::string& kernel) const {
    const auto found = builds_[build].find(kernel);
    return found == builds_[build].end() ? KernelSettings{} : found->second;
  }

  std::vector<std::string> kernels_;
  Cost cost_;
  std::vector<ByKernel<KernelSettings>> builds_;
  std::set<unsigned> kept_;
};

TEST(TuneSearch, EachKernelKeepsItsOwnBest) {
  Machine machine({"a", "b", "c"},
                  [](const std::string& kernel, const KernelSettings& s, unsigned) {
                    double time = 1e6;
                    if (kernel == "a")
                      time *= (s.rows == 2 ? 0.5 : 1) * (s.vector_bits == 256 ? 0.9 : 1);
                    if (kernel == "b")
                      time *= s.without == std::vector<std::string>{"joins"} ? 0.8 : 1;
                    return time;
                  });
  auto found = search_settings(machine);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ(found->at("a").settings, (KernelSettings{.vector_bits = 256, .rows = 2}));
  EXPECT_EQ(found->at("b").settings, (KernelSettings{.without = {"joins"}}));
  EXPECT_DOUBLE_EQ(found->at("a").default_ms, 2);
  EXPECT_DOUBLE_EQ(found->at("a").tuned_ms, 0.9);
}

TEST(TuneSearch, SmallGainsAreLeftAlone) {
  Machine machine({"a"}, [](const std::string&, const KernelSettings& s, unsigned) {
    return s.rows == 4 ? 0.98e6 : 1e6;
  });
  auto found = search_settings(machine);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->empty());
}

TEST(TuneSearch, WhatWasSeenByChanceDoesNotLast) {
  // What else ran on the machine was in the default's way, then ended.
  Machine machine({"a"}, [](const std::string&, const KernelSettings& s, unsigned run) {
    return s.rows == 2 && run < 60 ? 0.5e6 : 1e6;
  });
  auto found = search_settings(machine);
  ASSERT_TRUE(found);
  EXPECT_NE(machine.said.find("groups of at most 2"), std::string::npos);
  EXPECT_GT(machine.runs, 60u);
  EXPECT_TRUE(found->empty());
}

TEST(TuneSearch, KernelsThatTakeNoTimeAreLeftAlone) {
  Machine machine({"large", "small"},
                  [](const std::string& kernel, const KernelSettings& s, unsigned) {
                    return (kernel == "large" ? 1e9 : 1e3) * (s.rows == 2 ? 0.5 : 1);
                  });
  auto found = search_settings(machine);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->contains("large"));
  EXPECT_FALSE(found->contains("small"));
}

TEST(TuneSearch, AFailureEndsIt) {
  Machine machine({"a"}, [](const std::string&, const KernelSettings&, unsigned) { return 1e6; });
  machine.fails_at = 5;
  auto found = search_settings(machine);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "exit status 1");
  EXPECT_EQ(machine.runs, 5u);
}

TEST(TuneSearch, CandidatesThatMakeNoDifferenceDoNotRun) {
  class Same final : public Workbench {
   public:
    support::Result<Build> compile(const ByKernel<KernelSettings>&) override {
      return Build{0, {{"a", "same"}}};
    }
    support::Result<void> keep(const Build&) override { return {}; }
    support::Result<LaunchTimes> run(const Build&) override {
      ++runs;
      return LaunchTimes{{"a", {1e6}}};
    }
    void say(const std::string&) override {}
    std::string readable(const std::string& kernel) const override { return kernel; }
    unsigned runs = 0;
  } machine;
  auto found = search_settings(machine);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->empty());
  EXPECT_EQ(machine.runs, 1u);
}

TEST(Estimate, OfEachLaunchTheFastestCounts) {
  const Estimate found = estimate({{10, 20, 90}, {15, 10, 30}, {80, 20, 30}});
  EXPECT_DOUBLE_EQ(found.nanoseconds, 10 + 10 + 30);
  EXPECT_DOUBLE_EQ(found.noise, 120.0 / 55 - 1);
}

TEST(Estimate, ProgramsNeedNotLaunchTheSameTwice) {
  EXPECT_DOUBLE_EQ(estimate({{10, 20}, {12}}).nanoseconds, 12);
  EXPECT_DOUBLE_EQ(estimate({}).nanoseconds, 0);
}

}  // namespace
}  // namespace gridspan::driver
