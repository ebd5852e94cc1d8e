// Conversions between float and half: found, kept as calls, written for the instruction set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/half_conversions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr StringRef widen = "gridspan_half_widen", narrow = "gridspan_half_narrow";
/// gridspan_small_float::Half::widen(unsigned short), narrow<Half>(float, Rounding); .1, .2 follow
/// where several sources are linked.
constexpr StringRef headers_widen = "_ZN20gridspan_small_float4Half5widenEt",
                    headers_narrow = "_ZN20gridspan_small_floatL6narrowINS_4HalfEEEtfNS_8RoundingE";
constexpr std::uint64_t nearest = 0;  // of Rounding

/// Reads nothing but its argument, changes nothing, comes back, and may be done for nothing.
CallInst* call_for(IRBuilder<>& builder, const Twine& name, Type* result, Value* numbers) {
  SmallString<32> text;
  Module& module = *builder.GetInsertBlock()->getModule();
  auto* callee =
      cast<Function>(module
                         .getOrInsertFunction(name.toStringRef(text),
                                              FunctionType::get(result, numbers->getType(), false))
                         .getCallee());
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  for (auto attribute :
       {Attribute::WillReturn, Attribute::NoFree, Attribute::NoSync, Attribute::Speculatable})
    callee->addFnAttr(attribute);
  return builder.CreateCall(callee, numbers);
}

void write_widen(Function& function) {
  const GlobalValue::LinkageTypes linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  builder.CreateRet(call_for(builder, widen, builder.getFloatTy(), function.getArg(0)));
}

/// if (rounding == nearest) return the call; else what the function does.
void write_narrow(Function& function) {
  BasicBlock& entry = function.getEntryBlock();
  BasicBlock* others = entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "others");
  BasicBlock* here = BasicBlock::Create(function.getContext(), "here", &function, others);
  entry.getTerminator()->eraseFromParent();
  IRBuilder<> builder(&entry);
  Argument* rounding = function.getArg(1);
  builder.CreateCondBr(
      builder.CreateICmpEQ(rounding, ConstantInt::get(rounding->getType(), nearest)), here, others);
  builder.SetInsertPoint(here);
  builder.CreateRet(call_for(builder, narrow, builder.getInt16Ty(), function.getArg(0)));
}

bool calls(const Value& value, StringRef name) {
  auto* call = dyn_cast<CallInst>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName().starts_with(name);
}

Type* with_elements(Type* like, Type* element) {
  auto* vector = dyn_cast<FixedVectorType>(like);
  return vector ? FixedVectorType::get(element, vector->getNumElements()) : element;
}

/// A number or a vector of numbers, converted.
class Writer {
 public:
  Writer(Instruction& call, Value* numbers) : builder_(&call), numbers_(numbers) {}

  Value* widen_by_instruction() {
    Value* halfs = builder_.CreateBitCast(numbers_, type(builder_.getHalfTy()));
    return builder_.CreateFPExt(halfs, type(builder_.getFloatTy()));
  }
  /// Every NaN becomes CUDA's.
  Value* narrow_by_instruction() {
    Value* halfs = builder_.CreateFPTrunc(numbers_, type(builder_.getHalfTy()));
    Value* bits = builder_.CreateBitCast(halfs, type(builder_.getInt16Ty()));
    return builder_.CreateSelect(builder_.CreateFCmpUNO(numbers_, numbers_), number(16, 0x7fff),
                                 bits);
  }

  Value* widen_by_integers() {
    Value* bits = builder_.CreateZExt(numbers_, type(builder_.getInt32Ty()));
    Value* sign = builder_.CreateShl(builder_.CreateAnd(bits, number(32, 0x8000)), 16);
    Value* magnitude = builder_.CreateAnd(bits, number(32, 0x7fff));
    Value* shifted = builder_.CreateShl(magnitude, 13);
    // Denormal: a whole number of 2^-24.
    Value* whole = builder_.CreateSIToFP(magnitude, type(builder_.getFloatTy()));
    Value* small = bits_of(builder_.CreateFMul(whole, real(0x1p-24)));
    Value* normal = builder_.CreateAdd(shifted, number(32, 112u << 23));
    Value* beyond = builder_.CreateOr(shifted, number(32, 0x7f800000));
    Value* finite =
        builder_.CreateSelect(builder_.CreateICmpULT(magnitude, number(32, 0x0400)), small, normal);
    Value* all = builder_.CreateSelect(builder_.CreateICmpULT(magnitude, number(32, 0x7c00)),
                                       finite, beyond);
    return float_of(builder_.CreateOr(all, sign));
  }
  Value* narrow_by_integers() {
    Value* bits = bits_of(numbers_);
    Value* sign = builder_.CreateAnd(builder_.CreateLShr(bits, 16), number(32, 0x8000));
    Value* magnitude = builder_.CreateAnd(bits, number(32, 0x7fffffff));
    // To the nearest, of two the even one; carries go on into the exponent, up to infinity.
    Value* even = builder_.CreateAnd(builder_.CreateLShr(magnitude, 13), number(32, 1));
    Value* moved = builder_.CreateAdd(magnitude, number(32, 0xfff - (112u << 23)));
    Value* normal = builder_.CreateLShr(builder_.CreateAdd(moved, even), 13);
    // Denormal: 2^-24 is the last digit of 0.5, so that this sum is rounded there.
    Value* sum = builder_.CreateFAdd(float_of(magnitude), real(0.5));
    Value* small = builder_.CreateSub(bits_of(sum), number(32, 0x3f000000));
    Value* finite = builder_.CreateSelect(builder_.CreateICmpULT(magnitude, number(32, 113u << 23)),
                                          small, normal);
    Value* infinite = builder_.CreateICmpUGE(magnitude, number(32, 0x47800000));
    Value* all =
        builder_.CreateOr(builder_.CreateSelect(infinite, number(32, 0x7c00), finite), sign);
    Value* is_nan = builder_.CreateICmpUGT(magnitude, number(32, 0x7f800000));
    return builder_.CreateTrunc(builder_.CreateSelect(is_nan, number(32, 0x7fff), all),
                                type(builder_.getInt16Ty()));
  }

 private:
  Type* type(Type* element) { return with_elements(numbers_->getType(), element); }
  Constant* number(unsigned bits, std::uint64_t value) {
    return ConstantInt::get(type(builder_.getIntNTy(bits)),
                            APInt(bits, value & maskTrailingOnes<std::uint64_t>(bits)));
  }
  Constant* real(double value) { return ConstantFP::get(type(builder_.getFloatTy()), value); }
  Value* bits_of(Value* reals) {
    return builder_.CreateBitCast(reals, type(builder_.getInt32Ty()));
  }
  Value* float_of(Value* bits) { return builder_.CreateBitCast(bits, type(builder_.getFloatTy())); }

  IRBuilder<> builder_;
  Value* numbers_;
};

}  // namespace

void name_half_conversions(Module& module) {
  for (Function& function : make_early_inc_range(module)) {
    if (function.isDeclaration()) continue;
    if (function.getName().starts_with(headers_widen)) write_widen(function);
    if (function.getName().starts_with(headers_narrow)) write_narrow(function);
  }
}

bool is_half_conversion(const Value& value) {
  return !value.getType()->isVectorTy() && (calls(value, widen) || calls(value, narrow));
}

CallInst* half_conversion_of_vector(IRBuilder<>& builder, const CallInst& call, Value* numbers) {
  const unsigned lanes = cast<FixedVectorType>(numbers->getType())->getNumElements();
  CallInst* made = call_for(builder, (calls(call, widen) ? widen : narrow) + "x" + Twine(lanes),
                            with_elements(numbers->getType(), call.getType()), numbers);
  made->setName(call.getName());
  return made;
}

void write_half_conversions(Function& function, bool has_instructions) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    const bool widens = calls(instruction, widen);
    if (!widens && !calls(instruction, narrow)) continue;
    Writer writer(instruction, cast<CallInst>(instruction).getArgOperand(0));
    Value* made = nullptr;
    if (widens)
      made = has_instructions ? writer.widen_by_instruction() : writer.widen_by_integers();
    else
      made = has_instructions ? writer.narrow_by_instruction() : writer.narrow_by_integers();
    instruction.replaceAllUsesWith(made);
    instruction.eraseFromParent();
  }
}

}  // namespace gridspan::transforms
