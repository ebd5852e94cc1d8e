// Reciprocal square roots: found, kept as calls, written for the instruction set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/reciprocal_roots.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr StringRef name = "gridspan_rsqrt_f32";

/// Reads nothing but its argument, changes nothing, comes back.
CallInst* call_for(IRBuilder<>& builder, const Twine& callee_name, Value* numbers) {
  Type* type = numbers->getType();
  SmallString<32> text;
  Module& module = *builder.GetInsertBlock()->getModule();
  auto* callee = cast<Function>(
      module
          .getOrInsertFunction(callee_name.toStringRef(text), FunctionType::get(type, type, false))
          .getCallee());
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  for (auto attribute : {Attribute::WillReturn, Attribute::NoFree, Attribute::NoSync})
    callee->addFnAttr(attribute);
  return builder.CreateCall(callee, numbers);
}

/// The x of 1 / sqrt(x); null: it is something else, or must be exact.
Value* number_of(Instruction& division) {
  Value* number = nullptr;
  const bool is_one = match(&division, m_FDiv(m_SpecificFP(1), m_Sqrt(m_Value(number))));
  return is_one && division.getType()->isFloatTy() && division.hasAllowReciprocal() ? number
                                                                                    : nullptr;
}

bool is_call(const Value& value) {
  auto* call = dyn_cast<CallInst>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName().starts_with(name);
}

Value* exact(IRBuilder<>& builder, Value* numbers) {
  Value* root = builder.CreateUnaryIntrinsic(Intrinsic::sqrt, numbers);
  return builder.CreateFDiv(ConstantFP::get(numbers->getType(), 1), root);
}

/// Of 4, 8 or 16 lanes.
Value* estimate_of_register(IRBuilder<>& builder, Value* numbers) {
  auto* type = cast<FixedVectorType>(numbers->getType());
  const unsigned lanes = type->getNumElements();
  const Intrinsic::ID id = lanes == 16  ? Intrinsic::x86_avx512_rsqrt14_ps_512
                           : lanes == 8 ? Intrinsic::x86_avx512_rsqrt14_ps_256
                                        : Intrinsic::x86_avx512_rsqrt14_ps_128;
  Type* mask = builder.getIntNTy(std::max(8u, lanes));
  Value* none = Constant::getNullValue(type);
  return builder.CreateIntrinsic(id, {}, {numbers, none, Constant::getAllOnesValue(mask)});
}

Value* estimate(IRBuilder<>& builder, Value* numbers) {
  auto* type = dyn_cast<FixedVectorType>(numbers->getType());
  if (!type) {
    auto* four = FixedVectorType::get(numbers->getType(), 4);
    Value* first = builder.CreateInsertElement(Constant::getNullValue(four), numbers, uint64_t{0});
    Value* one =
        builder.CreateIntrinsic(Intrinsic::x86_avx512_rsqrt14_ss, {},
                                {first, first, Constant::getNullValue(four), builder.getInt8(1)});
    return builder.CreateExtractElement(one, uint64_t{0});
  }
  const unsigned lanes = type->getNumElements(), part = std::min(lanes, 16u);
  if (lanes == part) return estimate_of_register(builder, numbers);
  Value* all = PoisonValue::get(type);
  for (unsigned i = 0; i < lanes; i += part) {
    auto* part_type = FixedVectorType::get(type->getElementType(), part);
    Value* some = builder.CreateExtractVector(part_type, numbers, builder.getInt64(i));
    all = builder.CreateInsertVector(type, all, estimate_of_register(builder, some),
                                     builder.getInt64(i));
  }
  return all;
}

/// y + y / 2 * (1 - x * y * y), which is no number where the estimate y is exact: at 0 and
/// infinity.
Value* newton(IRBuilder<>& builder, Value* x) {
  Type* type = x->getType();
  auto fma = [&](Value* a, Value* b, Value* c) {
    return builder.CreateIntrinsic(Intrinsic::fma, {type}, {a, b, c});
  };
  Value* y = estimate(builder, x);
  Value* error = fma(builder.CreateFNeg(builder.CreateFMul(x, y)), y, ConstantFP::get(type, 1));
  Value* better = fma(builder.CreateFMul(y, ConstantFP::get(type, 0.5)), error, y);
  return builder.CreateSelect(builder.CreateFCmpORD(error, error), better, y);
}

bool has_instruction(Type* type) {
  auto* vector = dyn_cast<FixedVectorType>(type);
  const unsigned lanes = vector ? vector->getNumElements() : 1;
  return !vector || (lanes >= 4 && isPowerOf2_32(lanes));
}

}  // namespace

void name_reciprocal_roots(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function)))
      if (Value* number = number_of(instruction)) {
        IRBuilder<> builder(&instruction);
        CallInst* call = call_for(builder, name, number);
        call->takeName(&instruction);
        instruction.replaceAllUsesWith(call);
        instruction.eraseFromParent();
      }
}

bool is_reciprocal_root(const Value& value) {
  return is_call(value) && !value.getType()->isVectorTy();
}

CallInst* reciprocal_root_of_vector(IRBuilder<>& builder, const CallInst& call, Value* numbers) {
  const unsigned lanes = cast<FixedVectorType>(numbers->getType())->getNumElements();
  CallInst* made = call_for(builder, name + "x" + Twine(lanes), numbers);
  made->setName(call.getName());
  return made;
}

bool has_reciprocal_roots(const Function& function) {
  return any_of(instructions(function), [](const Instruction& one) { return is_call(one); });
}

void write_reciprocal_roots(Function& function, bool has_estimates) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!is_call(instruction)) continue;
    IRBuilder<> builder(&instruction);
    Value* numbers = cast<CallInst>(instruction).getArgOperand(0);
    const bool estimates = has_estimates && has_instruction(numbers->getType());
    Value* roots = estimates ? newton(builder, numbers) : exact(builder, numbers);
    instruction.replaceAllUsesWith(roots);
    instruction.eraseFromParent();
  }
}

}  // namespace gridspan::transforms
