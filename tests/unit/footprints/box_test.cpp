// Images without native loops: the boxes hold every element once, and are as few as they should be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_model.h"
#include "reference.h"

#include "codegen/box_families.h"

#include <gtest/gtest.h>

namespace gridspan::tests {
namespace {

constexpr std::size_t any = 1'000'000;

struct Case {
  const char* name;
  unsigned rank;
  const char* image;
  std::size_t most_boxes;  // whatever the launch
};

const char* const rows = "o_y_first <= i < o_y_last + blockDim_y and 0 <= i < n";
const char* const columns = "o_x_first <= j < o_x_last + blockDim_x and 0 <= j < m";

std::string range2(const std::string& rest) {
  return std::string("{ A[i, j] : ") + rows + " and " + columns + rest + " }";
}

class BoxTest : public testing::TestWithParam<Case> {};

void check_image(const std::string& image, unsigned rank, model::SetKind kind,
                 std::size_t most_boxes) {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  add_set(kernel, rank, kind, image);
  const CompiledModel compiled(kernel);
  EXPECT_TRUE(compiled->arrays[0].sets[0].flags & abi::set_exact_part);
  std::mt19937 random(7);
  std::size_t most = 0;
  for (int i = 0; i < 150 && !testing::Test::HasFailure(); ++i)
    most = std::max(most, check_set(kernel, *compiled, random_launch(random)));
  EXPECT_LE(most, most_boxes);
  EXPECT_GE(most, 1u) << "the test is empty";
}

TEST_P(BoxTest, EveryElementOnce) {
  check_image(GetParam().image, GetParam().rank, model::SetKind::must_write, GetParam().most_boxes);
}

const Case cases[] = {
    {"one_dimension", 1, "{ A[i] : o_x_first <= i < o_x_last + blockDim_x and 0 <= i < n }", 1},
    {"whole_array", 1, "{ A[i] : 0 <= i < n }", 1},
    {"one_element", 1, "{ A[s] }", 1},
    {"negative_subscripts", 1, "{ A[i] : -n <= i < s }", 1},
    {"reversed", 1, "{ A[i] : o_x_first <= n - 1 - i < o_x_last + blockDim_x and 0 <= i < n }", 1},
    {"every_third", 1,
     "{ [t] -> A[3*t + 1] : o_x_first <= t < o_x_last + blockDim_x and 0 <= t < n }", 1},
    {"offset_by_parameter", 1, "{ [t] -> A[4*t + s] : blockIdx_x_first <= t <= blockIdx_x_last }",
     1},
    {"downwards", 1, "{ [t] -> A[n - 2*t] : o_x_first <= t < o_x_last + blockDim_x }", 1},
    {"floor_of_negative", 1, "{ A[i] : floor((n - 3*s)/4) <= i < floor((m + s)/3) }", 1},
    {"remainder", 1, "{ A[i] : (s mod 4) <= i <= n and (i - s) mod 4 = 0 }", 1},
    {"minimum_and_maximum", 1, "{ A[i] : i >= s and i >= m and i < n and i < 2*l }", 1},
    {"clamped", 1,
     "{ A[i] : exists t : o_x_first <= t < o_x_last + blockDim_x and n >= 1 and "
     "((t < n and i = t) or (t >= n and i = n - 1)) }",
     1},
    {"two_fields_of_three", 1,
     "{ [t, j] -> A[3*t + j] : o_x_first <= t < o_x_last + blockDim_x and 0 <= t < n and 0 <= j <= "
     "1 }",
     2},
    {"vectors", 1,
     "{ [t, j] -> A[4*t + j] : blockIdx_x_first <= t <= blockIdx_x_last and 0 <= j < 4 }", 1},
    {"vectors_apart", 1,
     "{ [t, j] -> A[6*t + j] : blockIdx_x_first <= t <= blockIdx_x_last and 0 <= j < 4 }", 4},
    {"tiles", 1,
     "{ [b, t] -> A[4*b + t] : blockIdx_x_first <= b <= blockIdx_x_last and 0 <= t < "
     "blockDim_x and 4*b + t < n }",
     6},
    {"tiles_moved", 1,
     "{ [b, t] -> A[9*b + t + s] : blockIdx_x_first <= b <= blockIdx_x_last and 1 <= t < "
     "blockDim_x }",
     6},
    {"tiles_of_even_elements", 1,
     "{ [b, t] -> A[4*b + 2*t] : blockIdx_x_first <= b <= blockIdx_x_last and 0 <= t < blockDim_x "
     "}",
     any},
    {"two_ranges", 1, "{ A[i] : (0 <= i < n) or (l <= i < l + m) }", 3},
    {"either_size", 1, "{ A[i] : (n >= m and 0 <= i < n) or (n < m and 1 <= i < m) }", 1},
    {"three_of_many", 1, "{ A[i] : i = s or i = m or i = n }", 3},
    {"rectangle", 2,
     "{ A[i, j] : o_y_first <= i < o_y_last + blockDim_y and 0 <= i < n and "
     "o_x_first <= j < o_x_last + blockDim_x and 0 <= j < m }",
     1},
    {"strided_rectangle", 2,
     "{ [i, j] -> A[2*i + 1, 3*j - s] : o_y_first <= i < o_y_last + blockDim_y and 0 <= i < n and "
     "o_x_first <= j < o_x_last + blockDim_x and 0 <= j < m }",
     1},
    {"triangle", 2, "{ A[i, j] : 0 <= j <= i < n }", any},
    {"triangle_of_part", 2,
     "{ A[i, j] : o_x_first <= i < o_x_last + blockDim_x and i < n and s <= j < i }", any},
    {"diagonal", 2, "{ A[i, i + s] : o_x_first <= i < o_x_last + blockDim_x and i < n }", any},
    {"antidiagonal", 2, "{ A[i, n - i] : o_x_first <= i < o_x_last + blockDim_x and i < n }", any},
    {"band", 2, "{ A[i, j] : 0 <= i < n and 0 <= j < m and -2 <= i - j <= s }", any},
    {"skewed_stride", 2, "{ [i, t] -> A[i, 5*t + 2*i] : 0 <= i < n and 0 <= t < m }", any},
    {"two_triangles", 2, "{ A[i, j] : (0 <= j < i < n) or (0 <= i < n and i < j < m) }", any},
    {"checkerboard", 2, "{ A[i, j] : 0 <= i < n and 0 <= j < m and (i + j + s) mod 2 = 0 }", 2},
    {"three_colours", 2, "{ A[i, j] : 0 <= i < n and 0 <= j < m and (i + 2*j + s) mod 3 = 0 }", 3},
    {"border", 2,
     "{ A[i, j] : 0 <= i < n and 0 <= j < m and (i = 0 or j = 0 or i = n - 1 or j = m - 1) }", 4},
    // One that is a point wide has a box for each row, or column.
    {"cross_without_centre", 2,
     "{ [i, j, p, q] -> A[i + p, j + q] : o_y_first <= i < o_y_last + blockDim_y and 0 <= i < n "
     "and "
     "o_x_first <= j < o_x_last + blockDim_x and 0 <= j < m and -1 <= p <= 1 and -1 <= q <= 1 and "
     "(p = 0 or q = 0) and p != q }",
     any},
    {"wide_cross_without_centre", 2,
     "{ [i, j, p, q] -> A[i + p, j + q] : 0 <= i < 2 + n and 0 <= j < 2 + m and n >= 0 and m >= 0 "
     "and "
     "-1 <= p <= 1 and -1 <= q <= 1 and (p = 0 or q = 0) and p != q }",
     3},
    {"star_without_centre", 3,
     "{ [h, i, j, o, p, q] -> A[h + o, i + p, j + q] : 0 <= h < 2 + l and 0 <= i < 2 + n and 0 <= "
     "j < 2 + m "
     "and l >= 0 and n >= 0 and m >= 0 and -1 <= o <= 1 and -1 <= p <= 1 and -1 <= q <= 1 and "
     "((o != 0 and p = 0 and q = 0) or (o = 0 and p != 0 and q = 0) or (o = 0 and p = 0 and q != "
     "0)) }",
     7},
    {"tiles_of_both", 2,
     "{ [c, u, b, t] -> A[2*c + u, 4*b + t] : blockIdx_y_first <= c <= blockIdx_y_last and "
     "0 <= u < blockDim_y and blockIdx_x_first <= b <= blockIdx_x_last and 0 <= t < blockDim_x and "
     "2*c + u < n and 4*b + t < m }",
     18},
    {"tiles_and_rows", 2,
     "{ [b, t, j] -> A[4*b + t, j] : blockIdx_x_first <= b <= blockIdx_x_last and 0 <= t < "
     "blockDim_x and 4*b + t < n and 0 <= j < m }",
     6},
    {"either_sign", 2,
     "{ A[i, j] : 0 <= i < n and ((s > 0 and 0 <= j < m) or (s = 0 and 0 <= j <= 3) or (s < 0 and "
     "s <= j < l)) }",
     1},
    {"three_dimensions", 3,
     "{ A[h, i, j] : o_z_first <= h < o_z_last + blockDim_z and 0 <= h < l and "
     "o_y_first <= i < o_y_last + blockDim_y and 0 <= i < n and "
     "o_x_first <= j < o_x_last + blockDim_x and 0 <= j < m }",
     1},
    {"prism_inner", 3, "{ A[h, i, j] : 0 <= h < 5 and 0 <= j <= i < n }", 24},
    {"prism_outer", 3, "{ A[h, i, j] : 0 <= h <= i < n and 1 <= j < m }", 24},
    {"tetrahedron", 3, "{ A[h, i, j] : 0 <= h and h <= i and i <= j and 2*j < n }", any},
    {"knight", 3, "{ A[i, 2*i, j] : 0 <= i < 7 and s <= j < m }", 7},
};

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Images, BoxTest, testing::ValuesIn(cases), name_of);

TEST(BoxTest, TilesWithoutGapsAreOneBox) {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  add_set(kernel, 2, model::SetKind::must_write,
          "{ [b, t, j] -> A[4*b + t, j] : blockIdx_x_first <= b <= blockIdx_x_last and "
          "0 <= t < blockDim_x and 4*b + t < n and 0 <= j < m }");
  const CompiledModel compiled(kernel);
  std::mt19937 random(11);
  for (int i = 0; i < 100 && !HasFailure(); ++i) {
    Launch launch = random_launch(random);
    launch.block[0] = 4 + i % 3;
    EXPECT_LE(check_set(kernel, *compiled, launch), 1u);
  }
}

TEST(BoxTest, StencilReadsAreDisjoint) {
  check_image(std::string("{ [i, j, a, b] -> A[i + a, j + b]: ") +
                  "((a = 0 and -1 <= b <= 1) or (b = 0 and -1 <= a <= 1)) and " + rows + " and " +
                  columns + " and 1 <= i < n - 1 and 1 <= j < m - 1 }",
              2, model::SetKind::read, 3);
}

TEST(BoxTest, PiecesWithoutLoopsAreMadeDisjoint) {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  model::AccessSet& set = add_set(kernel, 2, model::SetKind::read, range2(""));
  set.pieces.push_back(
      {{}, isl::set(context.get(), with_parameters("{ A[i, j] : 0 <= i < 4 and 0 <= j < l }"))});
  const CompiledModel compiled(kernel);
  std::mt19937 random(8);
  for (int i = 0; i < 150 && !HasFailure(); ++i)
    check_set(kernel, *compiled, random_launch(random));
}

TEST(BoxTest, WhatIsWidenedEndsWithItsRow) {
  model::IslContext context;
  const isl::ctx isl = context.get();
  const std::vector<isl::pw_aff> extents{isl::pw_aff(isl, "[m] -> { [(m + 1)] }")};
  const codegen::BoxCover cover = codegen::cover_with_boxes(
      isl::set(isl, "[m] -> { A[i, j] : 0 <= i < 5 and -2 <= j <= m + 3 }"), extents,
      isl::set(isl, "[m] -> { : m >= 0 }"), codegen::Precision::one_box);
  ASSERT_EQ(cover.joined.size(), 1u);
  const codegen::BoxRange& inner = cover.joined[0].ranges[1];
  isl::pw_aff first = inner.first[0], last = inner.last[0];
  for (const isl::pw_aff& other : inner.first) first = first.max(other);
  for (const isl::pw_aff& other : inner.last) last = last.min(other);
  const isl::set everywhere(isl, "[m] -> { : }");
  EXPECT_TRUE(first.eq_set(isl::pw_aff(isl, "{ [(0)] }")).is_equal(everywhere));
  EXPECT_TRUE(last.eq_set(isl::pw_aff(isl, "[m] -> { [(m)] }")).is_equal(everywhere));
}

TEST(BoxTest, UnoptimisedCodeIsRightToo) {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  add_set(kernel, 2, model::SetKind::must_write, range2(" and 3*j <= 4*i + s"));
  const CompiledModel compiled(kernel, {}, false);
  std::mt19937 random(9);
  for (int i = 0; i < 100 && !HasFailure(); ++i)
    check_set(kernel, *compiled, random_launch(random));
}

TEST(BoxTest, AnEmptyPartTouchesNothing) {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  add_set(kernel, 1, model::SetKind::read, "{ A[i] : 0 <= i < n }");
  const CompiledModel compiled(kernel);
  Launch launch{.grid = {4, 4, 4}, .n = 10, .last = {3, 3, 3}};
  EXPECT_EQ(check_set(kernel, *compiled, launch), 1u);
  for (unsigned axis = 0; axis < 3; ++axis) {
    Launch empty = launch;
    empty.first[axis] = 2;
    empty.last[axis] = 1;
    EXPECT_EQ(check_set(kernel, *compiled, empty), 0u);
  }
}

TEST(BoxTest, LargeSizesStayExact) {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  add_set(kernel, 1, model::SetKind::read,
          "{ [i] -> A[2*i - 1] : o_x_first <= i < o_x_last + blockDim_x and 0 <= i < l }");
  const CompiledModel compiled(kernel);
  const std::int64_t l = (std::int64_t{1} << 40) + 12345;
  Launch launch{.grid = {2147483647, 1, 1}, .block = {1024, 1, 1}, .l = l};
  launch.first[0] = 1'000'000'000;
  launch.last[0] = 2'000'000'000;
  const Boxes boxes = compiled_boxes(compiled->arrays[0].sets[0], 1, launch);
  const std::vector<std::int64_t> box{2 * 1024 * std::int64_t{1'000'000'000} - 1, 2 * l - 3, 2};
  ASSERT_EQ(boxes.boxes.size(), 1u);
  EXPECT_EQ(boxes.boxes[0], box);
}

TEST(BoxTest, SetsWithoutEndAreUnbounded) {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  add_set(kernel, 1, model::SetKind::must_write, "{ A[i] : i >= n }");
  const CompiledModel compiled(kernel);
  EXPECT_EQ(compiled->arrays[0].sets[0].footprint, nullptr);
  EXPECT_EQ(compiled->arrays[0].sets[0].flags, 0u);
}

}  // namespace
}  // namespace gridspan::tests
