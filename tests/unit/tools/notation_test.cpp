// What a block touches, in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explain_samples.h"
#include "tools/hints.h"
#include "tools/phrases.h"
#include "tools/remarks.h"

#include <gtest/gtest.h>

namespace gridspan::tools {
namespace {

using model::SetKind;

class Words : public testing::Test {
 protected:
  /// "ranges; notes" of each box, one a line.
  std::string boxes(const std::string& image, const std::vector<std::string>& extents = {}) {
    model::Kernel kernel = kernel_with(isl_.get(), extents, SetKind::must_write, parts(image));
    Notation notation(kernel);
    std::string text;
    const model::Array& array = kernel.arrays[0];
    for (const SetText& each : set_texts(array.sets[0], array, kernel, notation))
      text +=
          (text.empty() ? "" : "\n") + each.ranges + (each.notes.empty() ? "" : "; " + each.notes);
    return text;
  }
  const std::string square_ = "[n] -> { [(n)] }";
  model::IslContext isl_;
};

TEST_F(Words, OneElement) { EXPECT_EQ(boxes("{ A[i] : i = 7 }"), "A[7]"); }

TEST_F(Words, OwnElements) {
  EXPECT_EQ(boxes("{ A[i] : $x <= i < $X + blockDim_x }"), "A[x .. x+blockDim.x-1]");
}

TEST_F(Words, GuardsAreLimits) {
  EXPECT_EQ(boxes("{ A[i] : $x - 1 <= i <= $X + blockDim_x and 0 <= i < n }"),
            "A[x-1 .. x+blockDim.x]; inside [0 .. n-1]");
}

TEST_F(Words, WholeRowsAndNegativeFactors) {
  EXPECT_EQ(boxes("{ A[i, j] : $y <= i < $Y + blockDim_y and 0 <= j < n }", {square_}),
            "A[y .. y+blockDim.y-1][0 .. n-1]");
  EXPECT_EQ(boxes("{ A[i] : n - $X - blockDim_x <= i < n - $x }"), "A[n-x-blockDim.x .. n-x-1]");
}

TEST_F(Words, Strides) {
  EXPECT_EQ(boxes("{ A[i] : exists k : i = 3k + 1 and 0 <= i < n }"), "A[1 .. n-1 step 3]");
}

TEST_F(Words, Floors) { EXPECT_EQ(boxes("{ A[i] : 0 <= 8i < n }"), "A[0 .. floor((n+7)/8)-1]"); }

TEST_F(Words, ATriangleIsPartOfItsBox) {
  EXPECT_EQ(boxes("{ A[i, j] : $y <= i < $Y + blockDim_y and 0 <= j <= i and i < n }", {square_}),
            "A[y .. y+blockDim.y-1][0 .. y+blockDim.y-1]; inside [.. n-1][.. n-1], part of this "
            "box");
}

TEST_F(Words, TwoBoxesAreTwoLines) {
  std::string text = boxes("{ A[i] : $x <= i < $X + blockDim_x; A[i] : i = -5 }");
  EXPECT_NE(text.find("A[x .. x+blockDim.x-1]"), std::string::npos) << text;
  EXPECT_NE(text.find("A[-5]"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

TEST_F(Words, NoEndIsNoEnd) { EXPECT_EQ(boxes("{ A[i] : i >= $x }"), "A[x .. ..]"); }

TEST_F(Words, NeverTouchedSaysSo) { EXPECT_EQ(boxes("{ A[i] : i > 0 and i < 0 }"), "A[nothing]"); }

TEST_F(Words, ShortNamesGiveWayToTheKernels) {
  model::Kernel kernel =
      kernel_with(isl_.get(), {}, SetKind::read, parts("{ A[i] : $x <= i <= $X }"));
  kernel.argument_names = {"x"};
  Notation notation(kernel);
  EXPECT_EQ(notation.name("blockIdx_x_blockDim_x"), "x0");
  EXPECT_EQ(notation.name("blockIdx_y_blockDim_y"), "y");
  EXPECT_EQ(notation.legend("A[x0 .. 3] blockIdx.y").size(), 1u);
  EXPECT_EQ(notation.legend("A[x0 .. 3]").front(), "x0 = blockIdx.x*blockDim.x");
}

TEST_F(Words, ProductsAndExpressionsAreSpeltOut) {
  model::Kernel kernel = kernel_with(isl_.get(), {}, SetKind::read, parts("{ A[0] }"));
  model::Parameter product, half;
  product.name = "P";
  product.kind = model::Parameter::Kind::product;
  product.factors = {"n", "blockDim_x"};
  half.name = "H";
  half.kind = model::Parameter::Kind::expression;
  half.expression = "[P] -> { [(floor((P)/2))] }";
  kernel.parameters.push_back(product);
  kernel.parameters.push_back(half);
  Notation notation(kernel);
  EXPECT_EQ(notation.value(isl::pw_aff(isl_.get(), "[P] -> { [(2P - 1)] }")), "2*n*blockDim.x-1");
  EXPECT_EQ(notation.name("H"), "(floor((n*blockDim.x)/2))");
  EXPECT_EQ(notation.name("gridDim_z"), "gridDim.z");
}

TEST_F(Words, AxesSayYesNoOrWhen) {
  model::Kernel kernel = kernel_with(isl_.get(), {}, SetKind::must_write, parts("{ A[0] }"));
  kernel.axes[1].legal = isl::set(isl_.get(), "[gridDim_x] -> { : gridDim_x = 1 }");
  Notation notation(kernel);
  EXPECT_EQ(axis_text(kernel, 0, notation).text, "yes");
  EXPECT_EQ(axis_text(kernel, 1, notation).text, "yes, if gridDim.x == 1");
  kernel.axes[0].legal = isl::set(isl_.get(), "[gridDim_x] -> { : gridDim_x = 1 }");
  kernel.axes[0].reason = "all blocks write A[0]";
  EXPECT_EQ(axis_text(kernel, 0, notation).text, "no: all blocks write A[0]")
      << "one block along the axis is no split";
  kernel.rung = model::Rung::scattered;
  EXPECT_EQ(axis_text(kernel, 0, notation).text, "only with writes tracked: all blocks write A[0]");
  kernel.rung = model::Rung::one_device;
  EXPECT_EQ(axis_text(kernel, 1, notation).text,
            "no: the kernel runs on one device, for the reason above");
}

TEST_F(Words, LongConditionsNameWhatTheyDependOn) {
  model::Kernel kernel = kernel_with(isl_.get(), {}, SetKind::must_write, parts("{ A[0] }"));
  kernel.axes[0].legal =
      isl::set(isl_.get(),
               "[n, m, blockDim_x] -> { : n mod 7 = 3 and m >= 12; : n >= 100 and m mod 5 = 2 and "
               "blockDim_x = 32; : n = 11 and m = 13 and blockDim_x = 64 }");
  EXPECT_EQ(axis_text(kernel, 0, Notation(kernel)).text,
            "yes, if a long condition on blockDim.x, n, m holds (see --isl)");
}

TEST(Hints, ThereIsOneForEachObstacle) {
  for (int i = 0; i <= static_cast<int>(model::Obstacle::pointer_value); ++i)
    EXPECT_NE(hint_for(static_cast<model::Obstacle>(i)), "") << i;
}

}  // namespace
}  // namespace gridspan::tools
