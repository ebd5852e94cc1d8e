// Code from isl values that have no points, cases, or quotients nobody named.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_model.h"
#include "reference.h"

#include "codegen/box_range.h"
#include "codegen/isl_code.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>

namespace gridspan::tests {
namespace {

using codegen::IslCode;
using codegen::Number;

/// A function whose arguments are the parameters a, b and c.
struct IslCodeTest : testing::Test {
  IslCodeTest() {
    auto* type = llvm::FunctionType::get(builder.getVoidTy(),
                                         std::vector<llvm::Type*>(3, builder.getInt64Ty()), false);
    function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "f", module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(llvm_context, "entry", function));
  }

  IslCode code(const char* facts) {
    const auto value = [this](const std::string& name) {
      return Number{function->getArg(static_cast<unsigned>(name[0] - 'a')), 1e6};
    };
    return IslCode(builder, value, isl::set(context.get(), facts));
  }

  isl::pw_aff value(const char* text) { return isl::pw_aff(context.get(), text); }
  isl::set set(const char* text) { return isl::set(context.get(), text); }

  model::IslContext context;
  llvm::LLVMContext llvm_context;
  llvm::Module module{"test", llvm_context};
  llvm::IRBuilder<> builder{llvm_context};
  llvm::Function* function;
};

TEST_F(IslCodeTest, AValueWithoutPointsIsAnyNumber) {
  IslCode plain = code("{ : }");
  EXPECT_NE(plain.number(value("[a] -> { [(a)] : false }")).value, nullptr);
  IslCode knows = code("[a] -> { : a >= 1 }");
  EXPECT_NE(knows.number(value("[a] -> { [(a)] : a <= 0 }")).value, nullptr);
  const auto all = {value("[a] -> { [(a)] : a <= 0 }"), value("[a] -> { [(2 * a)] }")};
  EXPECT_NE(knows.least(all).value, nullptr);
}

TEST_F(IslCodeTest, CasesMayListOtherParametersThanTheFacts) {
  IslCode here = code("[a, b] -> { : 1 <= a <= b }");
  EXPECT_NE(here.condition(set("[b, c] -> { : c > b or c < 0 or b = 7 }")), nullptr);
  EXPECT_NE(here.condition(set("[c] -> { : c > 10 or c < 0 }")), nullptr);
  EXPECT_NE(here.condition(set("[c, b, a] -> { : c > b or a > 5 }")), nullptr);
  const isl::pw_aff cases =
      value("[c, b] -> { [(b)] : c > b or c = 0; [(c - b)] : (c <= b and c >= 1) or c < -b }");
  EXPECT_NE(here.number(cases).value, nullptr);
}

TEST_F(IslCodeTest, QuotientsThatOnlyExistGetAnExpression) {
  // Between a and b there is a multiple of 7 whose seventh is between them and c.
  const isl::set unknown = set("[a, b] -> { [i] : exists q : a <= 7q <= b and i - 3 <= 5q <= i }");
  EXPECT_NO_THROW(codegen::divisors_of(unknown));
  EXPECT_TRUE(codegen::divisors_of(unknown).contains(5) ||
              codegen::divisors_of(unknown).contains(7));
}

/// A condition of the launch in cases that do not speak of grid and block, as the context does.
TEST(PredicateCases, OfFewParameters) {
  model::IslContext context;
  model::Kernel kernel = make_kernel(context.get());
  model::Assumption assumption;
  assumption.text = "n < 0 or m > 3";
  assumption.condition = isl::set(context.get(), "[m, n] -> { : n < 0 or m > 3 }");
  kernel.assumptions.push_back(assumption);
  const CompiledModel compiled(kernel);
  const auto holds = [&](const Launch& launch) {
    return compiled->assumptions[0].holds(launch.values().data());
  };
  EXPECT_TRUE(holds({.n = -1, .m = 0}));
  EXPECT_TRUE(holds({.n = 5, .m = 4}));
  EXPECT_FALSE(holds({.n = 5, .m = 3}));
}

}  // namespace
}  // namespace gridspan::tests
