// Samples and pictures: sizes fit the kernel, and cells are coloured as computed by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/picture.h"
#include "explain_samples.h"
#include "tools/svg.h"

#include <gtest/gtest.h>

namespace gridspan::tools {
namespace {

using model::SetKind;

class Pictures : public testing::Test {
 protected:
  model::Kernel own_rows(SetKind kind, long halo) {
    std::string h = std::to_string(halo);
    return kernel_with(isl_.get(), {"[m] -> { [(m)] }"}, kind,
                       parts("{ A[i, j] : $y - " + h + " <= i < $Y + blockDim_y + " + h +
                             " and 0 <= i < n and 0 <= j < m and $x < m }"));
  }
  model::IslContext isl_;
};

TEST_F(Pictures, SizesFitTheGuards) {
  model::Kernel kernel = own_rows(SetKind::must_write, 0);
  kernel.suggested_axis = 1;
  auto sample = choose_sample(kernel);
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->axis, 1);
  EXPECT_EQ(sample->parts.size(), 4u);
  EXPECT_EQ(sample->values.at("gridDim_y"), sample->grid[1]);
  EXPECT_EQ(sample->values.at("n"), sample->grid[1] * sample->block[1]);
  for (const SamplePart& part : sample->parts)
    EXPECT_FALSE(touched(kernel, kernel.arrays[0].sets[0], *sample, part, 10).empty());
}

TEST_F(Pictures, PartsTileTheGrid) {
  model::Kernel kernel = own_rows(SetKind::must_write, 0);
  kernel.suggested_axis = 0;
  kernel.axes[0].granularity = 3;
  Sample sample = *choose_sample(kernel);
  EXPECT_EQ(sample.parts.front().first[0], 0);
  EXPECT_EQ(sample.parts.back().last[0], sample.grid[0] - 1);
  for (std::size_t i = 0; i < sample.parts.size(); ++i) {
    EXPECT_EQ(sample.parts[i].first[0] % 3, 0);
    if (i) EXPECT_EQ(sample.parts[i].first[0], sample.parts[i - 1].last[0] + 1);
  }
}

TEST_F(Pictures, AssumptionsOfTheKernelHold) {
  model::Kernel kernel = own_rows(SetKind::must_write, 0);
  model::Assumption assumption;
  assumption.condition =
      isl::set(isl_.get(), "[blockDim_x, m, n] -> { : blockDim_x = 16 and m = n }");
  kernel.assumptions.push_back(assumption);
  Sample sample = *choose_sample(kernel);
  EXPECT_EQ(sample.block[0], 16);
  EXPECT_EQ(sample.values.at("m"), sample.values.at("n"));
}

TEST_F(Pictures, HalosBelongToTwoParts) {
  model::Kernel kernel = own_rows(SetKind::read, 1);
  kernel.suggested_axis = 1;
  Sample sample = *choose_sample(kernel);
  ArrayPictures drawn = draw_array(kernel, kernel.arrays[0], sample);
  ASSERT_EQ(drawn.pictures.size(), 1u);
  const Plane& plane = drawn.pictures[0].planes.at(0);
  const long rows = sample.values.at("n"), each = rows / 4;
  ASSERT_EQ(plane.rows, rows);
  for (long row = 0; row < rows; ++row) {
    Parts expected = 0;
    for (long part = 0; part < 4; ++part)
      if (row >= part * each - 1 && row < (part + 1) * each + 1)
        expected = static_cast<Parts>(expected | 1u << part);
    EXPECT_EQ(plane.at(row, 0), expected) << "row " << row;
  }
  std::string svg = plane_svg(plane, drawn.pictures[0]);
  EXPECT_NE(svg.find("url(#shared01)"), std::string::npos);
  EXPECT_EQ(svg.find("url(#shared02)"), std::string::npos);
}

TEST_F(Pictures, WritesOfSeveralPartsAreConflicts) {
  model::Kernel kernel = own_rows(SetKind::must_write, 1);
  kernel.suggested_axis = 1;
  ArrayPictures drawn = draw_array(kernel, kernel.arrays[0], *choose_sample(kernel));
  std::string svg = plane_svg(drawn.pictures[0].planes[0], drawn.pictures[0]);
  EXPECT_NE(svg.find("url(#conflict)"), std::string::npos);
}

TEST_F(Pictures, GridStrideLoopsAreFollowed) {
  model::Kernel kernel = kernel_with(
      isl_.get(), {}, SetKind::must_write,
      "[n, blockDim_x, blockIdx_x_blockDim_x_first, blockIdx_x_blockDim_x_last, S_k] -> { A[i] : "
      "blockIdx_x_blockDim_x_first + S_k <= i < blockIdx_x_blockDim_x_last + blockDim_x + S_k and "
      "i < n }");
  model::Parameter stride;
  stride.name = "S";
  stride.kind = model::Parameter::Kind::product;
  stride.factors = {"gridDim_x", "blockDim_x"};
  kernel.parameters.push_back(stride);
  model::NativeLoop loop;
  loop.counter = "k";
  loop.last = isl::pw_aff(isl_.get(), "[n] -> { [(n - 1)] }");
  loop.products = {{"S_k", model::Dimension::Kind::product, 0, {}, "S", "k"}};
  kernel.arrays[0].sets[0].pieces[0].loops = {loop};
  kernel.suggested_axis = 0;
  Sample sample = *choose_sample(kernel);
  const long n = sample.values.at("n"), width = sample.values.at("S");
  EXPECT_GT(n, width) << "goes round more than once";
  for (long part = 0; part < 4; ++part)
    for (const auto& element : touched(kernel, kernel.arrays[0].sets[0], sample,
                                       sample.parts[static_cast<std::size_t>(part)], 10'000))
      EXPECT_EQ(element[0] % width / (width / 4), part);
}

TEST_F(Pictures, CubesAreSlices) {
  model::Kernel kernel =
      kernel_with(isl_.get(), {"[n] -> { [(n)] }", "[m] -> { [(m)] }"}, SetKind::must_write,
                  parts("{ A[i, j, k] : 0 <= i < n and $y <= j < $Y + blockDim_y and j < n and "
                        "$x <= k < $X + blockDim_x and k < m }"));
  ArrayPictures drawn = draw_array(kernel, kernel.arrays[0], *choose_sample(kernel));
  ASSERT_FALSE(drawn.pictures[0].planes.empty());
  EXPECT_LE(drawn.pictures[0].planes.size(), 4u);
  EXPECT_EQ(drawn.pictures[0].planes[0].label, "[0]");
  EXPECT_EQ(drawn.sizes.size(), 3u);
}

TEST(Svg, TextIsEscaped) { EXPECT_EQ(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;"); }

}  // namespace
}  // namespace gridspan::tools
