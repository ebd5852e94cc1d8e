// Images with native loops: grid-stride loops and other products with a counter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_model.h"
#include "reference.h"

#include <gtest/gtest.h>

namespace gridspan::tests {
namespace {

model::Dimension product(const std::string& name, const std::string& factor,
                         const std::string& base) {
  model::Dimension dimension;
  dimension.name = name;
  dimension.kind = model::Dimension::Kind::product;
  dimension.factor = factor;
  dimension.base = base;
  return dimension;
}

model::NativeLoop loop(isl::ctx context, const std::string& counter, const std::string& last,
                       std::vector<model::Dimension> products) {
  model::NativeLoop result;
  result.counter = counter;
  result.last = isl::pw_aff(context, with_parameters("{ [(" + last + ")] }"));
  result.products = std::move(products);
  return result;
}

struct LoopTest : testing::Test {
  model::AccessSet& set(unsigned rank, const std::string& image,
                        std::vector<model::NativeLoop> loops) {
    model::AccessSet& result = add_set(kernel, rank, model::SetKind::read);
    result.pieces.push_back({std::move(loops), image_of(context.get(), image)});
    return result;
  }

  std::size_t check(int launches = 150) {
    const CompiledModel compiled(kernel);
    flags = compiled->arrays[0].sets[0].flags;
    std::mt19937 random(3);
    std::size_t most = 0;
    for (int i = 0; i < launches && !HasFailure(); ++i)
      most = std::max(most, check_set(kernel, *compiled, random_launch(random)));
    return most;
  }

  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  std::uint32_t flags = 0;
};

const char* const grid_stride =
    "{ A[i] : zk + o_x_first <= i < zk + o_x_last + blockDim_x and 0 <= i < l }";

TEST_F(LoopTest, GridStride) {
  set(1, grid_stride, {loop(context.get(), "k", "l - 1", {product("zk", "G_x", "k")})});
  EXPECT_GE(check(), 2u);
  EXPECT_FALSE(flags & abi::set_boxes_overlap);
}

TEST_F(LoopTest, GridStrideOfTheWholeGridIsDisjoint) {
  set(1, "{ A[i] : zk <= i < zk + G_x and 0 <= i < l }",
      {loop(context.get(), "k", "l - 1", {product("zk", "G_x", "k")})});
  EXPECT_GE(check(), 2u);
  EXPECT_FALSE(flags & abi::set_boxes_overlap);
}

TEST_F(LoopTest, GridStrideMakesAsManyTurnsAsTheKernel) {
  set(1, grid_stride, {loop(context.get(), "k", "l - 1", {product("zk", "G_x", "k")})});
  const CompiledModel compiled(kernel);
  Launch launch{.grid = {1024, 1, 1}, .block = {256, 1, 1}, .l = 100'000'000'000};
  launch.first[0] = 100;
  launch.last[0] = 199;
  const std::int64_t grid = 1024 * 256;
  const Boxes boxes = compiled_boxes(compiled->arrays[0].sets[0], 1, launch);
  ASSERT_EQ(boxes.boxes.size(), static_cast<std::size_t>((launch.l - 25600 + grid - 1) / grid));
  for (std::size_t k = 0; k < boxes.boxes.size(); ++k) {
    const std::int64_t first = static_cast<std::int64_t>(k) * grid + 25600;
    const std::vector<std::int64_t> box{first, std::min(first + 25599, launch.l - 1), 1};
    ASSERT_EQ(boxes.boxes[k], box);
  }
}

TEST_F(LoopTest, NeighboursOfOtherTurnsOverlap) {
  set(1, "{ A[i] : zk + o_x_first - 1 <= i <= zk + o_x_last + blockDim_x and 0 <= i < l }",
      {loop(context.get(), "k", "l", {product("zk", "G_x", "k")})});
  EXPECT_GE(check(), 2u);
  EXPECT_TRUE(flags & abi::set_boxes_overlap);
}

TEST_F(LoopTest, RowsOfAGridStrideLoop) {
  set(2,
      "{ A[i, j] : zk + o_x_first <= i < zk + o_x_last + blockDim_x and 0 <= i < l and "
      "0 <= j < m }",
      {loop(context.get(), "k", "l - 1", {product("zk", "G_x", "k")})});
  EXPECT_GE(check(), 2u);
}

TEST_F(LoopTest, TrianglesOfAGridStrideLoop) {
  set(2,
      "{ A[i, j] : zk + o_x_first <= i < zk + o_x_last + blockDim_x and 0 <= i < l and "
      "0 <= j <= i }",
      {loop(context.get(), "k", "l - 1", {product("zk", "G_x", "k")})});
  EXPECT_GE(check(), 2u);
}

TEST_F(LoopTest, CounterInTheImage) {
  set(2, "{ A[k, i] : zk + o_x_first <= i < zk + o_x_last + blockDim_x and i < n + k }",
      {loop(context.get(), "k", "m - 1", {product("zk", "G_x", "k")})});
  EXPECT_GE(check(), 2u);
  EXPECT_FALSE(flags & abi::set_boxes_overlap);
}

TEST_F(LoopTest, TurnsWithoutEndInTheImageMustFit) {
  set(2, "{ A[k, i] : zk + o_x_first <= i < zk + o_x_last + blockDim_x and i < n + k }",
      {loop(context.get(), "k", "m - 1", {product("zk", "G_x", "k")})});
  const CompiledModel compiled(kernel);
  ASSERT_EQ(compiled->assumption_count, 1u);
  auto fits = [&](const Launch& launch) {
    return compiled->assumptions[0].holds(launch.values().data());
  };
  EXPECT_TRUE(fits({.grid = {1 << 20, 1, 1}, .block = {1024, 1, 1}, .m = 1 << 18}));
  EXPECT_FALSE(fits({.grid = {1 << 20, 1, 1}, .block = {1024, 1, 1}, .m = (1 << 18) + 2}));
}

TEST_F(LoopTest, FactorOfAnySign) {
  set(1, "{ [j] -> A[zk + j] : 0 <= j <= s }",
      {loop(context.get(), "k", "m - 1", {product("zk", "n", "k")})});
  EXPECT_GE(check(), 2u);
}

TEST_F(LoopTest, Nested) {
  kernel.dimensions.push_back(product("zy", "G_y", "h"));
  const std::string names = with_parameters("");
  auto& built = add_set(kernel, 2, model::SetKind::read);
  isl::set image(context.get(),
                 "[h, zy, " + names.substr(1) +
                     "{ A[i, j] : zy + o_y_first <= i < zy + o_y_last + blockDim_y and "
                     "0 <= i < n and zk + o_x_first <= j < zk + o_x_last + blockDim_x and "
                     "0 <= j < l }");
  built.pieces.push_back({{loop(context.get(), "h", "n - 1", {product("zy", "G_y", "h")}),
                           loop(context.get(), "k", "l - 1", {product("zk", "G_x", "k")})},
                          image});
  EXPECT_GE(check(60), 4u);
  EXPECT_EQ(flags & abi::set_boxes_overlap, 0u);
}

TEST_F(LoopTest, WithAndWithoutLoops) {
  model::AccessSet& both =
      set(1, grid_stride, {loop(context.get(), "k", "l - 1", {product("zk", "G_x", "k")})});
  both.pieces.push_back({{}, image_of(context.get(), "{ A[i] : 0 <= i < m }")});
  EXPECT_GE(check(), 2u);
  EXPECT_TRUE(flags & abi::set_boxes_overlap);
}

TEST_F(LoopTest, NoEndNoFootprint) {
  auto& endless = set(1, "{ A[i] : zk <= i <= zk + 3 }",
                      {loop(context.get(), "k", "0", {product("zk", "G_x", "k")})});
  endless.pieces[0].loops[0].last = {};
  const CompiledModel compiled(kernel);
  EXPECT_EQ(compiled->arrays[0].sets[0].footprint, nullptr);
}

}  // namespace
}  // namespace gridspan::tests
