// Facts hold of every instance there can be, and say what they should.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/facts.h"

#include "model/factors.h"
#include "reference.h"

#include <gtest/gtest.h>

#include <sstream>

namespace gridspan::model::test {
namespace {

using Values = std::map<std::string, long>;

bool holds(const isl::set& facts, const Values& values) {
  std::ostringstream names, text;
  for (auto it = values.begin(); it != values.end(); ++it) {
    names << (it == values.begin() ? "" : ", ") << it->first;
    text << (it == values.begin() ? "" : " and ") << it->first << " = " << it->second;
  }
  return !facts
              .intersect(isl::set(facts.ctx(), "[" + names.str() + "] -> { : " + text.str() + " }"))
              .is_empty();
}

// z = n*b for n of any sign, o = P*b, and q = P*z.
class Facts : public testing::Test {
 protected:
  Facts() : kernel(context.get()) {
    kernel.argument("n", -9, 9)
        .product("o", "blockDim_x", "blockIdx_x")
        .product("z", "n", "blockIdx_x")
        .product("q", "blockDim_x", "z");
  }
  static Values instance(long grid, long block, long n, long b) {
    return {{"gridDim_x", grid},
            {"blockDim_x", block},
            {"n", n},
            {"blockIdx_x", b},
            {"o", block * b},
            {"z", n * b},
            {"q", block * n * b},
            {"blockDim_x_gridDim_x", block * grid},
            {"gridDim_x_n", n * grid},
            {"blockDim_x_n", block * n},
            {"blockDim_x_gridDim_x_n", block * grid * n}};
  }

  IslContext context;
  TestKernel kernel;
};

TEST_F(Facts, HoldOfEveryInstance) {
  const isl::set facts = dimension_facts(kernel.kernel, {"o", "z", "q", "blockIdx_x"});
  for (long grid = 1; grid <= 3; ++grid)
    for (long block = 1; block <= 3; ++block)
      for (long n = -2; n <= 2; ++n)
        for (long b = 0; b < grid; ++b)
          EXPECT_TRUE(holds(facts, instance(grid, block, n, b))) << grid << block << n << b;
}

TEST_F(Facts, HoldOfEveryPair) {
  // Two instances of one launch; the second's names are spelled out where isl's parser is used.
  isl::set facts = pair_facts(kernel.kernel, {"o", "z", "q", "blockIdx_x"});
  for (const char* name : {"o", "z", "q", "blockIdx_x"}) {
    const int position =
        isl_set_find_dim_by_name(facts.get(), isl_dim_param, (name + std::string("'")).c_str());
    ASSERT_GE(position, 0) << name;
    facts = isl::manage(isl_set_set_dim_name(facts.release(), isl_dim_param,
                                             static_cast<unsigned>(position),
                                             (name + std::string("_2")).c_str()));
  }
  for (long block = 1; block <= 3; ++block)
    for (long n = -2; n <= 2; ++n)
      for (long b = 0; b < 4; ++b)
        for (long c = 0; c < 4; ++c) {
          Values values = instance(4, block, n, b);
          const Values second = instance(4, block, n, c);
          for (const char* name : {"o", "z", "q", "blockIdx_x"})
            values[name + std::string("_2")] = second.at(name);
          EXPECT_TRUE(holds(facts, values)) << block << n << b << c;
          if (std::abs(b - c) > 1) continue;
          values["o_2"] += b == c ? 1 : (b < c ? -1 : 1);  // too near
          EXPECT_FALSE(holds(facts, values)) << block << n << b << c;
        }
}

TEST_F(Facts, OffsetsEndBeforeTheGrid) {
  const isl::set facts = dimension_facts(kernel.kernel, {"o", "threadIdx_x"});
  EXPECT_TRUE(facts.is_subset(isl::set(context.get(),
                                       "[o, threadIdx_x, blockDim_x_gridDim_x] -> { : 0 <= o + "
                                       "threadIdx_x < blockDim_x_gridDim_x }")));
}

TEST_F(Facts, AreConvexWhereTheFactorIsPositive) {
  EXPECT_EQ(dimension_facts(kernel.kernel, {"o", "threadIdx_x", "blockIdx_x"}).n_basic_set(), 1U);
}

TEST_F(Facts, ProductsAreFoundInAnyOrder) {
  EXPECT_EQ(product_of(kernel.kernel, {"gridDim_x", "blockDim_x"})->name, "blockDim_x_gridDim_x");
  EXPECT_EQ(product_of(kernel.kernel, {"n", "gridDim_x", "blockDim_x"}),
            product_of(kernel.kernel, {"blockDim_x_gridDim_x", "n"}));
  EXPECT_EQ(product_of(kernel.kernel, {"n"})->name, "n");
  EXPECT_EQ(product_of(kernel.kernel, {"n", "n"}), nullptr);
}

TEST_F(Facts, BoundingProductsAreAddedOnce) {
  const std::size_t before = kernel.kernel.parameters.size();
  add_bounding_products(kernel.kernel, *find_dimension(kernel.kernel, "o"));
  EXPECT_EQ(kernel.kernel.parameters.size(), before);
}

TEST_F(Facts, SignsOfFactors) {
  EXPECT_TRUE(proved_positive(kernel.kernel, "blockDim_x_gridDim_x"));
  EXPECT_FALSE(proved_positive(kernel.kernel, "n"));
  EXPECT_TRUE(is_natural(kernel.kernel, "o"));
  EXPECT_FALSE(is_natural(kernel.kernel, "q"));
  kernel.context("[n] -> { : n >= 1 }");
  EXPECT_TRUE(is_natural(kernel.kernel, "q"));
}

}  // namespace
}  // namespace gridspan::model::test
