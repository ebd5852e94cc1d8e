// Launches at which products or sizes leave the range footprints compute in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_model.h"
#include "reference.h"

#include <gtest/gtest.h>

#include <limits>

namespace gridspan::tests {
namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

struct OverflowTest : testing::Test {
  /// Do all assumptions of the set hold?
  static bool usable(const abi::KernelModel& model, const Launch& launch) {
    const abi::ModelSet& set = model.arrays[0].sets[0];
    for (std::uint32_t i = 0; i < set.assumption_count; ++i)
      if (!model.assumptions[set.assumptions[i]].holds(launch.values().data())) return false;
    return true;
  }

  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
};

TEST_F(OverflowTest, HugeScalarsMakeASetUnbounded) {
  add_set(kernel, 1, model::SetKind::read, "{ A[i] : 0 <= i < l }");
  const CompiledModel compiled(kernel);
  ASSERT_EQ(compiled->assumption_count, 1u);
  EXPECT_TRUE(usable(*compiled, {.l = 0}));
  EXPECT_TRUE(usable(*compiled, {.l = std::int64_t{1} << 48}));
  EXPECT_TRUE(usable(*compiled, {.l = -(std::int64_t{1} << 48)}));
  EXPECT_FALSE(usable(*compiled, {.l = (std::int64_t{1} << 48) + 1}));
  EXPECT_FALSE(usable(*compiled, {.l = -(std::int64_t{1} << 48) - 1}));
  EXPECT_FALSE(usable(*compiled, {.l = largest}));
  EXPECT_FALSE(usable(*compiled, {.l = smallest}));
}

TEST_F(OverflowTest, IntsAndExtentsAlwaysFit) {
  add_set(kernel, 1, model::SetKind::read, "{ A[i] : n <= i < m + G_x }");
  const CompiledModel compiled(kernel);
  EXPECT_EQ(compiled->assumption_count, 0u);
}

TEST_F(OverflowTest, ProductsAreCheckedBeforeTheyWrap) {
  model::Parameter square;
  square.name = "square";
  square.kind = model::Parameter::Kind::product;
  square.factors = {"l", "l"};
  kernel.parameters.push_back(square);
  model::AccessSet& set = add_set(kernel, 1, model::SetKind::read);
  set.pieces.push_back({{}, isl::set(context.get(), "[square] -> { A[i] : 0 <= i < square }")});
  const CompiledModel compiled(kernel);
  EXPECT_TRUE(usable(*compiled, {.l = 1 << 24}));
  EXPECT_FALSE(usable(*compiled, {.l = (1 << 24) + 1}));
  EXPECT_FALSE(usable(*compiled, {.l = std::int64_t{1} << 32})) << "2^64 wraps to 0";
  EXPECT_FALSE(usable(*compiled, {.l = std::int64_t{1} << 40}));
}

TEST_F(OverflowTest, PartsOfHugeSteps) {
  model::Dimension step;
  step.name = "step";
  step.kind = model::Dimension::Kind::product;
  step.factor = "l";
  step.base = "blockIdx_x";
  kernel.dimensions.push_back(step);
  model::AccessSet& set = add_set(kernel, 1, model::SetKind::read);
  set.pieces.push_back(
      {{},
       isl::set(context.get(),
                "[step_first, step_last] -> { A[i] : step_first <= i <= step_last }")});
  const CompiledModel compiled(kernel);
  EXPECT_TRUE(usable(*compiled, {.grid = {1 << 20, 1, 1}, .l = 1 << 28}));
  EXPECT_FALSE(usable(*compiled, {.grid = {1 << 20, 1, 1}, .l = (1 << 28) + 1}));
}

TEST_F(OverflowTest, LargeCoefficientsAreRefused) {
  add_set(kernel, 1, model::SetKind::read,
          "{ [i] -> A[1099511627776*i] : 0 <= i < l }");  // 2^40 * 2^48
  const CompiledModel compiled(kernel);
  EXPECT_EQ(compiled->arrays[0].sets[0].footprint, nullptr);
}

TEST_F(OverflowTest, PredicatesAreFalse) {
  kernel.axes[0].legal = isl::set(context.get(), with_parameters("{ : l >= n }"));
  kernel.axes[1].legal = isl::set(context.get(), with_parameters("{ : nm <= 5 }"));
  model::Assumption assumption;
  assumption.condition = isl::set(context.get(), with_parameters("{ : l > 0 }"));
  kernel.assumptions.push_back(assumption);
  const CompiledModel compiled(kernel);
  const Launch fine{.l = 100}, huge{.l = largest}, wide{.n = -(1 << 25), .m = 1 << 25};
  EXPECT_TRUE(compiled->axes[0].legal(fine.values().data()));
  EXPECT_FALSE(compiled->axes[0].legal(huge.values().data()));
  EXPECT_TRUE(compiled->axes[1].legal(fine.values().data()));
  EXPECT_FALSE(compiled->axes[1].legal(wide.values().data()));
  EXPECT_TRUE(compiled->assumptions[0].holds(fine.values().data()));
  EXPECT_FALSE(compiled->assumptions[0].holds(huge.values().data()));
}

}  // namespace
}  // namespace gridspan::tests
