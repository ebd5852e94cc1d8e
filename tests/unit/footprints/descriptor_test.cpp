// The descriptor as a whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_model.h"
#include "reference.h"

#include <gtest/gtest.h>

namespace gridspan::tests {
namespace {

struct DescriptorTest : testing::Test {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
};

TEST_F(DescriptorTest, AnEmptyKernel) {
  const CompiledModel compiled(kernel);
  EXPECT_EQ(compiled->array_count, 0u);
  EXPECT_EQ(compiled->arrays, nullptr);
  EXPECT_EQ(compiled->assumption_count, 0u);
  EXPECT_EQ(compiled->obstacles, 0u);
  EXPECT_EQ(compiled->suggested_axis, -1);
}

TEST_F(DescriptorTest, AKernelNothingIsKnownOf) {
  model::Kernel unknown;
  unknown.name = "unknown";
  unknown.remarks.push_back({model::Obstacle::too_complex, {}, "gave up"});
  model::Array array;
  array.sets.push_back({});
  array.sets.back().unbounded = true;
  unknown.arrays.push_back(array);
  const CompiledModel compiled(unknown);
  EXPECT_EQ(compiled->obstacles, abi::obstacle_too_complex);
  ASSERT_EQ(compiled->array_count, 1u);
  EXPECT_EQ(compiled->arrays[0].sets[0].footprint, nullptr);
}

TEST_F(DescriptorTest, Scalars) {
  kernel.parameters.back().factors = {"l", "n"};
  const CompiledModel compiled(kernel);
  ASSERT_EQ(compiled->scalar_count, 4u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(compiled->scalars[i].argument, i + 1);
    EXPECT_EQ(compiled->scalars[i].offset, 0u);
    EXPECT_EQ(compiled->scalars[i].bytes, i == 3 ? 8u : 4u);
  }
}

TEST_F(DescriptorTest, ArraysAndTheirSets) {
  model::AccessSet& first =
      add_set(kernel, 2, model::SetKind::must_write, "{ A[i, j] : 0 <= i < n and 0 <= j < m }");
  first.exact_part = false;
  kernel.arrays[0].accesses.resize(2);
  kernel.arrays[0].accesses[1].where = {"kernel.cu", 12, 7};
  first.accesses = {1, 0};
  model::AccessSet sum;
  sum.kind = model::SetKind::reduction;
  sum.op = model::ReductionOp::unsigned_max;
  sum.update_bytes = 8;
  sum.unbounded = true;
  kernel.arrays[0].sets.push_back(sum);
  model::Array shared;
  shared.space = model::AddressSpace::shared;
  kernel.arrays.insert(kernel.arrays.begin(), shared);
  model::Array table;
  table.name = "table";
  table.space = model::AddressSpace::constant;
  table.symbol = "_ZL5table";
  kernel.arrays.push_back(table);
  table.symbol = "removed";
  kernel.arrays.push_back(table);
  kernel.suggested_axis = 1;

  transforms::DeviceSymbol other{}, symbol{};
  other.name = "other";
  symbol.name = "_ZL5table";
  const CompiledModel compiled(kernel, {other, symbol});
  ASSERT_EQ(compiled->array_count, 3u);
  EXPECT_EQ(compiled->suggested_axis, 1);
  const abi::ModelArray& a = compiled->arrays[0];
  EXPECT_STREQ(a.name, "A");
  EXPECT_EQ(a.argument, 0);
  EXPECT_EQ(a.symbol, -1);
  EXPECT_EQ(a.element_bytes, 4u);
  EXPECT_EQ(a.rank, 2u);
  ASSERT_EQ(a.set_count, 2u);
  EXPECT_EQ(a.sets[0].kind, abi::SetKind::must_write);
  EXPECT_EQ(a.sets[0].flags, abi::set_exact_block);
  EXPECT_STREQ(a.sets[0].where.file, "kernel.cu");
  EXPECT_EQ(a.sets[0].where.line, 12u);
  EXPECT_EQ(a.sets[0].where.column, 7u);
  EXPECT_EQ(a.sets[1].kind, abi::SetKind::reduction);
  EXPECT_EQ(a.sets[1].op, abi::ReductionOp::unsigned_max);
  EXPECT_EQ(a.sets[1].update_bytes, 8u);
  EXPECT_EQ(a.sets[1].footprint, nullptr);
  EXPECT_EQ(compiled->arrays[1].symbol, 1);
  EXPECT_EQ(compiled->arrays[1].argument, -1);
  EXPECT_EQ(compiled->arrays[2].symbol, -1);
  std::int64_t extent = 0;
  a.extents(Launch{.m = 41}.values().data(), &extent);
  EXPECT_EQ(extent, 42);
}

TEST_F(DescriptorTest, AssumptionsOfSets) {
  model::Assumption assumption;
  for (const char* text : {"[n] -> { : n > 3 }", "[n] -> { : n > 5 }"}) {
    assumption.text = text;
    assumption.condition = isl::set(context.get(), text);
    kernel.assumptions.push_back(assumption);
  }
  model::AccessSet& set = add_set(kernel, 1, model::SetKind::read, "{ A[i] : 0 <= i < l }");
  set.assumptions = {1};
  const CompiledModel compiled(kernel);
  ASSERT_EQ(compiled->assumption_count, 3u) << "and that l fits";
  const abi::ModelSet& made = compiled->arrays[0].sets[0];
  ASSERT_EQ(made.assumption_count, 2u);
  EXPECT_EQ(made.assumptions[0], 1u);
  EXPECT_EQ(made.assumptions[1], 2u);
  EXPECT_STREQ(compiled->assumptions[1].text, "[n] -> { : n > 5 }");
}

TEST_F(DescriptorTest, ExpressionsAreParameters) {
  model::Parameter half;
  half.name = "half";
  half.kind = model::Parameter::Kind::expression;
  half.expression = "[n, m] -> { [(floor((n + 3*m)/2))] : n >= m; [(m)] : n < m }";
  kernel.parameters.push_back(half);
  model::AccessSet& set = add_set(kernel, 1, model::SetKind::read);
  set.pieces.push_back({{}, isl::set(context.get(), "[half] -> { A[i] : 0 <= i < half }")});
  const CompiledModel compiled(kernel);
  for (std::int64_t n = -6; n < 7; ++n)
    for (std::int64_t m = -6; m < 7; ++m) {
      const std::int64_t value = n >= m ? (n + 3 * m) >> 1 : m;
      const Boxes boxes = compiled_boxes(compiled->arrays[0].sets[0], 1, {.n = n, .m = m});
      ASSERT_EQ(boxes.boxes.empty(), value <= 0);
      if (value > 0) EXPECT_EQ(boxes.boxes[0][1], value - 1);
    }
}

}  // namespace
}  // namespace gridspan::tests
