// Models survive writing and reading; wrong text is refused with the place that is wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_kernels.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>

namespace gridspan::model {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class ModelText : public testing::Test {
 protected:
  Module sample() { return {"a.cu", {every_field(isl_.get()), nothing_known()}}; }
  /// What the reader says of this text.
  std::string error(const std::string& text) {
    auto module = from_text(isl_.get(), text);
    return module ? "" : module.error().message;
  }
  IslContext isl_;
};

TEST_F(ModelText, SecondWritingEqualsTheFirst) {
  std::string once = to_text(sample());
  auto read = from_text(isl_.get(), once);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_text(*read), once);
}

/// Field by field, so that a field both the writer and the reader forget is noticed.
TEST_F(ModelText, KeepsEveryFieldOfAKernel) {
  Module before = sample();
  Module after = *from_text(isl_.get(), to_text(before));
  EXPECT_EQ(after.source, "a.cu");
  ASSERT_EQ(after.kernels.size(), 2u);
  const Kernel &a = before.kernels[0], &b = after.kernels[0];
  EXPECT_EQ(b.name, a.name);
  EXPECT_EQ(b.readable, a.readable);
  EXPECT_EQ(b.where, a.where);
  EXPECT_EQ(b.argument_names, a.argument_names);
  EXPECT_EQ(b.argument_types, a.argument_types);
  EXPECT_TRUE(b.context.is_equal(a.context));
  EXPECT_EQ(b.barriers, 2u);
  EXPECT_EQ(b.static_shared, 1024u);
  EXPECT_EQ(b.max_threads, 256u);
  EXPECT_EQ(b.min_blocks, 2u);
  EXPECT_EQ(b.suggested_axis, 0);
  EXPECT_EQ(b.rung, Rung::reduction);
  EXPECT_EQ(b.rung_reason, "an atomic");
  ASSERT_EQ(b.remarks.size(), 1u);
  EXPECT_EQ(b.remarks[0].obstacle, Obstacle::device_malloc);
  EXPECT_EQ(b.remarks[0].where, a.remarks[0].where);
  EXPECT_EQ(b.remarks[0].text, "malloc on the device");
  const Kernel& bare = after.kernels[1];
  EXPECT_TRUE(bare.context.is_null());
  EXPECT_EQ(bare.suggested_axis, -1);
  EXPECT_EQ(bare.rung, Rung::one_device);
  EXPECT_EQ(bare.where, SourcePoint());
}

TEST_F(ModelText, KeepsParametersAndDimensions) {
  Kernel before = sample().kernels[0];
  Kernel after = from_text(isl_.get(), to_text(sample()))->kernels[0];
  ASSERT_EQ(after.parameters.size(), before.parameters.size());
  for (std::size_t i = 0; i < after.parameters.size(); ++i) {
    const Parameter &a = before.parameters[i], &b = after.parameters[i];
    EXPECT_EQ(b.name, a.name);
    EXPECT_EQ(b.kind, a.kind);
    EXPECT_EQ(b.axis, a.axis);
    EXPECT_EQ(b.argument, a.argument);
    EXPECT_EQ(b.offset, a.offset);
    EXPECT_EQ(b.bytes, a.bytes);
    EXPECT_EQ(b.factors, a.factors);
    EXPECT_EQ(b.expression, a.expression);
  }
  ASSERT_EQ(after.dimensions.size(), before.dimensions.size());
  for (std::size_t i = 0; i < after.dimensions.size(); ++i) {
    const Dimension &a = before.dimensions[i], &b = after.dimensions[i];
    EXPECT_EQ(b.name, a.name);
    EXPECT_EQ(b.kind, a.kind);
    EXPECT_EQ(b.axis, a.axis);
    EXPECT_EQ(b.where, a.where);
    EXPECT_EQ(b.factor, a.factor);
    EXPECT_EQ(b.base, a.base);
  }
}

TEST_F(ModelText, KeepsArrays) {
  Array before = sample().kernels[0].arrays[0];
  Kernel kernel = from_text(isl_.get(), to_text(sample()))->kernels[0];
  ASSERT_EQ(kernel.arrays.size(), 2u);
  const Array& array = kernel.arrays[0];
  EXPECT_EQ(array.name, "a");
  EXPECT_EQ(array.argument, 1);
  EXPECT_EQ(array.offset, 8u);
  EXPECT_EQ(array.element_bytes, 16u);
  EXPECT_EQ(array.element_type, "float4");
  ASSERT_EQ(array.rank(), 2u);
  EXPECT_TRUE(isl_pw_aff_is_equal(array.extents[0].get(), before.extents[0].get()));
  EXPECT_EQ(kernel.arrays[1].space, AddressSpace::shared);
  EXPECT_EQ(kernel.arrays[1].symbol, "_ZZ1kPfE4tile");
  EXPECT_EQ(kernel.arrays[1].argument, -1);
}

TEST_F(ModelText, KeepsAccesses) {
  Access before = sample().kernels[0].arrays[0].accesses[0];
  Array array = from_text(isl_.get(), to_text(sample()))->kernels[0].arrays[0];
  ASSERT_EQ(array.accesses.size(), 2u);
  const Access& access = array.accesses[0];
  EXPECT_EQ(access.kind, AccessKind::reduction);
  EXPECT_EQ(access.op, ReductionOp::bit_xor);
  EXPECT_EQ(access.bytes, 4u);
  EXPECT_TRUE(access.exact && access.same_value && access.is_volatile && !access.unbounded);
  EXPECT_EQ(access.where, before.where);
  EXPECT_EQ(access.reason, before.reason);
  EXPECT_EQ(access.reason_where, before.reason_where);
  EXPECT_EQ(access.assumptions, before.assumptions);
  EXPECT_TRUE(access.relation.is_equal(before.relation));
  EXPECT_EQ(isl_map_find_dim_by_name(access.relation.get(), isl_dim_in, "k0"), 2);
  EXPECT_TRUE(array.accesses[1].unbounded && array.accesses[1].relation.is_null());
}

TEST_F(ModelText, KeepsSets) {
  AccessSet before = sample().kernels[0].arrays[0].sets[0];
  Array array = from_text(isl_.get(), to_text(sample()))->kernels[0].arrays[0];
  ASSERT_EQ(array.sets.size(), 2u);
  const AccessSet& set = array.sets[0];
  EXPECT_EQ(set.kind, SetKind::reduction);
  EXPECT_EQ(set.op, ReductionOp::bit_xor);
  EXPECT_EQ(set.update_bytes, 8u);
  EXPECT_TRUE(set.exact_block && set.exact_part && !set.unbounded && array.sets[1].unbounded);
  EXPECT_EQ(set.accesses, before.accesses);
  EXPECT_EQ(set.assumptions, before.assumptions);
  ASSERT_EQ(set.pieces.size(), 1u);
  EXPECT_TRUE(set.pieces[0].image.is_equal(before.pieces[0].image));
  ASSERT_EQ(set.pieces[0].loops.size(), 1u);
  const NativeLoop &loop = set.pieces[0].loops[0], &old = before.pieces[0].loops[0];
  EXPECT_EQ(loop.counter, "k0");
  EXPECT_TRUE(isl_pw_aff_is_equal(loop.last.get(), old.last.get()));
  ASSERT_EQ(loop.products.size(), 1u);
  EXPECT_EQ(loop.products[0].factor, "gridDim_y_p_16");
  EXPECT_EQ(loop.products[0].base, "k0");
}

TEST_F(ModelText, KeepsAssumptionsAndAxes) {
  Kernel before = sample().kernels[0];
  Kernel after = from_text(isl_.get(), to_text(sample()))->kernels[0];
  ASSERT_EQ(after.assumptions.size(), 2u);
  const Assumption &holds = after.assumptions[0], &range = after.assumptions[1];
  EXPECT_EQ(holds.kind, Assumption::Kind::holds);
  EXPECT_EQ(holds.text, "0 <= x < width");
  EXPECT_EQ(holds.where, before.assumptions[0].where);
  EXPECT_TRUE(holds.condition.is_equal(before.assumptions[0].condition));
  EXPECT_EQ(range.kind, Assumption::Kind::in_range);
  EXPECT_TRUE(range.domain.is_equal(before.assumptions[1].domain));
  EXPECT_TRUE(isl_pw_aff_is_equal(range.value.get(), before.assumptions[1].value.get()));
  EXPECT_EQ(range.minimum, "-2147483648");
  EXPECT_EQ(range.maximum, "2147483647");
  const AxisSplit &axis = after.axes[0], &old = before.axes[0];
  EXPECT_TRUE(axis.legal.is_equal(old.legal));
  EXPECT_EQ(axis.granularity, 4u);
  EXPECT_EQ(axis.reason, old.reason);
  EXPECT_EQ(axis.reason_where, old.reason_where);
  EXPECT_TRUE(axis.read_write_overlap);
  EXPECT_EQ(axis.race, old.race);
  EXPECT_EQ(axis.race_where, old.race_where);
  EXPECT_EQ(axis.cost, "8*p_16");
  EXPECT_TRUE(after.axes[1].legal.is_empty());
  EXPECT_TRUE(after.axes[2].legal.is_null());
}

TEST_F(ModelText, OperationsHaveNames) {
  const std::string text = to_text(sample());
  for (const char* name : {"add", "float_add", "min", "unsigned_min", "float_min", "max",
                           "unsigned_max", "float_max", "and", "or", "increment", "decrement"}) {
    const std::string other =
        replaced(text, "\"op\": \"xor\"", std::string("\"op\": \"") + name + '"');
    const auto read = from_text(isl_.get(), other);
    ASSERT_TRUE(read) << name;
    EXPECT_EQ(to_text(*read), other);
  }
}

TEST_F(ModelText, ErrorsNameThePlace) {
  std::string text = to_text(sample());
  EXPECT_EQ(error(replaced(text, "gridspan-model", "other")), "format: expected 'gridspan-model'");
  EXPECT_EQ(error(replaced(text, "\"version\": 3", "\"version\": 4")),
            "version: 4; this program reads version 3");
  EXPECT_EQ(error(replaced(text, "\"kind\": \"grid_dim\"", "\"kind\": \"grid\"")),
            "kernels[0].parameters[0].kind: 'grid' is none of grid_dim, block_dim, argument, "
            "product, quotient, expression");
  EXPECT_EQ(error(replaced(text, "\"p_16\",\n      \"gridDim_y\"", "\"p_16\"")),
            "kernels[0].parameters[5].factors: a quotient has a dividend and a divisor");
  EXPECT_EQ(error(replaced(text, "\"bytes\": 8", "\"bytes\": -8")),
            "kernels[0].parameters[2].bytes: expected a whole number from 0 to 4294967295, found "
            "-8");
  EXPECT_EQ(error(replaced(text, "\"space\"", "\"spice\"")),
            "kernels[0].arrays[0]: unknown field 'spice'");
  EXPECT_EQ(error(replaced(text, "a.cu:41:9", "a.cu:41")),
            "kernels[0].arrays[0].accesses[0].where: expected file:line:column, found 'a.cu:41'");
  EXPECT_EQ(error(replaced(text, "\"readable\": \"k()\",", "")),
            "kernels[1]: field 'readable' is missing");
  EXPECT_EQ(error("[]"), "field 'format' is missing");
  EXPECT_NE(error(text.substr(0, 100)).find("not JSON: "), std::string::npos);
}

TEST_F(ModelText, ErrorsOfIslAndOfIndicesNameThePlace) {
  std::string text = to_text(sample());
  std::string broken = replaced(text, "\"relation\": \"[", "\"relation\": \"");
  EXPECT_EQ(error(broken).find("kernels[0].arrays[0].accesses[0].relation: isl does not read this "
                               "as a map: "),
            0u)
      << error(broken);
  std::regex one_argument(R"("argument": 1,\s+"offset": 8,\s+"element)");
  ASSERT_TRUE(std::regex_search(text, one_argument));
  EXPECT_EQ(error(std::regex_replace(text, one_argument, "\"argument\": 9,\n\"element")),
            "kernels[0].arrays[0].argument: 9 is no index into the 2 arguments");
  EXPECT_EQ(
      error(
          std::regex_replace(text, std::regex(R"("assumptions": \[\s+1)"), "\"assumptions\": [ 5")),
      "kernels[0].arrays[0].accesses[0].assumptions[0]: 5 is no index into the 2 assumptions");
}

TEST_F(ModelText, ARelationMustHaveTheArraysRank) {
  Module module = sample();
  module.kernels[0].arrays[0].extents.clear();
  EXPECT_EQ(error(to_text(module)),
            "kernels[0].arrays[0].accesses[0].relation: the array has 1 subscripts");
}

/// Damaged at random, text is refused or read, and nothing crashes.
TEST_F(ModelText, DamageIsNoDanger) {
  std::mt19937 random(11);
  std::string whole = to_text(sample());
  int refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::string text = whole;
    for (int i = 0; i < 2; ++i) text[random() % text.size()] = static_cast<char>(random());
    refused += !from_text(isl_.get(), text);
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace gridspan::model
