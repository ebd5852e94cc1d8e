// Conditions on launches, against plain arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_model.h"
#include "reference.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace gridspan::tests {
namespace {

constexpr std::int64_t int_max = std::numeric_limits<std::int32_t>::max();

struct PredicateTest : testing::Test {
  void holds(const std::string& condition) {
    model::Assumption assumption;
    assumption.text = condition;
    assumption.condition = isl::set(context.get(), with_parameters("{ : " + condition + " }"));
    kernel.assumptions.push_back(assumption);
  }

  void in_range(const std::string& value, const std::string& domain,
                const std::string& minimum = "-2147483648",
                const std::string& maximum = "2147483647") {
    model::Assumption assumption;
    assumption.kind = model::Assumption::Kind::in_range;
    assumption.text = value;
    assumption.domain = isl::set(context.get(), with_parameters("{ : " + domain + " }"));
    assumption.value = isl::pw_aff(context.get(), with_parameters("{ [(" + value + ")] }"));
    assumption.minimum = minimum;
    assumption.maximum = maximum;
    kernel.assumptions.push_back(assumption);
  }

  void compile() { compiled.emplace(kernel); }
  bool test(const Launch& launch, std::size_t index = 0) {
    return (*compiled)->assumptions[index].holds(launch.values().data());
  }

  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  std::optional<CompiledModel> compiled;
};

const char* const thread_x =
    "0 <= blockIdx_x < gridDim_x and 0 <= threadIdx_x < blockDim_x and o_x >= blockIdx_x";

TEST_F(PredicateTest, ConditionsOnParameters) {
  const char* const conditions[] = {"n <= m",
                                    "n < 0 or m > 3",
                                    "G_x <= l and n >= 1",
                                    "nm = s",
                                    "false",
                                    "true",
                                    "(n + 2*s) mod 3 = 1",
                                    "floor(n/4) > s",
                                    "exists e : 3*e <= n and 2*e >= m",
                                    "n mod 2 = m mod 2"};
  for (const char* condition : conditions) holds(condition);
  compile();
  std::mt19937 random(4);
  std::vector<int> seen(std::size(conditions));
  for (int i = 0; i < 150; ++i) {
    const Launch launch = random_launch(random);
    for (std::size_t c = 0; c < std::size(conditions); ++c) {
      const isl::set element = isl::set(context.get(), "{ A[0] }");
      const auto expected =
          points(element.intersect_params(kernel.assumptions[c].condition), launch.names());
      EXPECT_EQ(test(launch, c), !expected.empty()) << conditions[c];
      seen[c] |= expected.empty() ? 1 : 2;
    }
  }
  EXPECT_EQ(seen[0], 3);
  EXPECT_EQ(seen[3], 3);
}

TEST_F(PredicateTest, GlobalThreadIndexFitsInAnInt) {
  in_range("o_x + threadIdx_x", thread_x);
  compile();
  EXPECT_TRUE(test({.grid = {1, 1, 1}, .block = {1, 1, 1}}));
  EXPECT_TRUE(test({.grid = {2097152, 1, 1}, .block = {1024, 1, 1}}));  // up to 2^31 - 1
  EXPECT_FALSE(test({.grid = {2097153, 1, 1}, .block = {1024, 1, 1}}));
  EXPECT_FALSE(test({.grid = {int_max, 1, 1}, .block = {1024, 1, 1}}));
}

TEST_F(PredicateTest, LinearIndexOfAGuardedElement) {
  // i = y*n + x: the product of a dimension and an argument.
  model::Dimension row;
  row.name = "yn";
  row.kind = model::Dimension::Kind::product;
  row.factor = "n";
  row.base = "threadIdx_y";
  kernel.dimensions.push_back(row);
  model::Assumption assumption;
  assumption.kind = model::Assumption::Kind::in_range;
  assumption.domain = isl::set(context.get(),
                               "[yn, threadIdx_x, threadIdx_y, m, n] -> { : 0 <= threadIdx_x < n "
                               "and 0 <= threadIdx_y < m }");
  assumption.value = isl::pw_aff(context.get(), "[yn, threadIdx_x] -> { [(yn + threadIdx_x)] }");
  assumption.minimum = "0";
  assumption.maximum = "2147483647";
  kernel.assumptions.push_back(assumption);
  compile();
  // (m - 1)*n + blockDim_x - 1 in an int: exactly, and one more.
  const std::int64_t columns = (int_max - 1023) / 1023;
  EXPECT_TRUE(test({.block = {1024, 1024, 1}, .n = columns, .m = 1024}));
  EXPECT_FALSE(test({.block = {1024, 1024, 1}, .n = columns + 1, .m = 1024}));
  EXPECT_TRUE(test({.block = {1024, 1023, 1}, .n = columns + 1, .m = 1024}));
  EXPECT_TRUE(test({.block = {1024, 1024, 1}, .n = columns + 1, .m = 1023}));
  EXPECT_TRUE(test({.block = {1024, 1024, 1}, .n = -5, .m = 1024})) << "no points";
}

TEST_F(PredicateTest, ProductsOfLoopCounters) {
  in_range("zk + threadIdx_x", "0 <= threadIdx_x < blockDim_x and 0 <= k < m", "0", "1000");
  compile();
  EXPECT_TRUE(test({.grid = {9, 1, 1}, .block = {11, 1, 1}, .m = 11}));  // 99*10 + 10
  EXPECT_FALSE(test({.grid = {9, 1, 1}, .block = {11, 1, 1}, .m = 12}));
  EXPECT_TRUE(test({.grid = {9, 1, 1}, .block = {11, 1, 1}, .m = 0})) << "no turns";
}

TEST_F(PredicateTest, AlwaysTrueWhereNothingRuns) {
  in_range("1000000*n", "0 <= threadIdx_x < blockDim_x and threadIdx_x >= l and n >= 1", "0", "10");
  compile();
  EXPECT_TRUE(test({.n = 1, .l = 1}));
  EXPECT_FALSE(test({.n = 1, .l = 0}));
}

TEST_F(PredicateTest, QuotientsAndRemainders) {
  in_range("floor((n + 3*threadIdx_x)/4)", "0 <= threadIdx_x < blockDim_x", "-3", "20");
  in_range("n mod 7", "0 <= threadIdx_x < blockDim_x", "0", "5");
  compile();
  for (std::int64_t n = -20; n < 90; ++n)
    for (std::int64_t block = 1; block < 5; ++block) {
      auto floor4 = [](std::int64_t value) { return value >> 2; };
      const bool inside = floor4(n) >= -3 && floor4(n + 3 * (block - 1)) <= 20;
      EXPECT_EQ(test({.block = {block, 1, 1}, .n = n}), inside) << n << ' ' << block;
      EXPECT_EQ(test({.block = {block, 1, 1}, .n = n}, 1), (n % 7 + 7) % 7 <= 5) << n;
    }
}

TEST_F(PredicateTest, UnboundedDataIsNeverInRange) {
  kernel.assumptions.clear();
  model::Assumption assumption;
  assumption.kind = model::Assumption::Kind::in_range;
  assumption.domain = isl::set(context.get(), "[d] -> { : }");
  assumption.value = isl::pw_aff(context.get(), "[d] -> { [(d)] }");
  assumption.minimum = "-2147483648";
  assumption.maximum = "2147483647";
  kernel.assumptions.push_back(assumption);
  assumption.domain = isl::set(context.get(), "[d, n] -> { : 0 <= d < n }");
  assumption.maximum = "99";
  kernel.assumptions.push_back(assumption);
  compile();
  EXPECT_FALSE(test({.n = 1}));
  EXPECT_TRUE(test({.n = 100}, 1));
  EXPECT_FALSE(test({.n = 101}, 1));
}

TEST_F(PredicateTest, UnknownNamesAreFalse) {
  model::Assumption assumption;
  assumption.condition = isl::set(context.get(), "[loaded] -> { : loaded >= 0 }");
  kernel.assumptions.push_back(assumption);
  assumption.condition = {};
  kernel.assumptions.push_back(assumption);
  compile();
  EXPECT_FALSE(test({}));
  EXPECT_FALSE(test({}, 1));
}

TEST_F(PredicateTest, LegalAxes) {
  kernel.axes[0].legal = isl::set(context.get(), with_parameters("{ : n >= G_x }"));
  kernel.axes[0].granularity = 2;
  kernel.axes[1].legal = isl::set(context.get(), with_parameters("{ : false }"));
  compile();
  const abi::KernelModel& model = **compiled;
  ASSERT_NE(model.axes[0].legal, nullptr);
  EXPECT_EQ(model.axes[0].granularity, 2u);
  EXPECT_EQ(model.axes[1].legal, nullptr) << "empty: never";
  EXPECT_EQ(model.axes[2].legal, nullptr) << "not known: never";
  EXPECT_TRUE(
      model.axes[0].legal(Launch{.grid = {3, 1, 1}, .block = {4, 1, 1}, .n = 12}.values().data()));
  EXPECT_FALSE(
      model.axes[0].legal(Launch{.grid = {3, 1, 1}, .block = {4, 1, 1}, .n = 11}.values().data()));
}

}  // namespace
}  // namespace gridspan::tests
