// Shifts, divisions, float-to-integer conversions and alignment as PTX defines them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/hardware_semantics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

static bool is_known_shift(const BinaryOperator& shift) {
  auto* amount = dyn_cast<Constant>(shift.getOperand(1));
  return amount && !isa<ConstantExpr>(amount) && !isa<UndefValue>(amount);
}

static Value* clamped_shift(BinaryOperator& shift) {
  IRBuilder<> builder(&shift);
  Value* value = shift.getOperand(0);
  Value* amount = shift.getOperand(1);
  Type* type = shift.getType();
  unsigned width = type->getScalarSizeInBits();
  if (shift.getOpcode() == Instruction::AShr) {
    Value* last = ConstantInt::get(type, width - 1);
    return builder.CreateAShr(value, builder.CreateBinaryIntrinsic(Intrinsic::umin, amount, last));
  }
  Value* in_range = builder.CreateICmpULT(amount, ConstantInt::get(type, width));
  Value* zero = Constant::getNullValue(type);
  Value* safe_amount = builder.CreateSelect(in_range, amount, zero);
  Value* shifted = shift.getOpcode() == Instruction::Shl ? builder.CreateShl(value, safe_amount)
                                                         : builder.CreateLShr(value, safe_amount);
  return builder.CreateSelect(in_range, shifted, zero);
}

static bool is_harmless_divisor(const Value* divisor) {
  auto* constant = dyn_cast<ConstantInt>(divisor);
  return constant && !constant->isZero() && !constant->isMinusOne();
}

static Value* guarded_division(BinaryOperator& division) {
  IRBuilder<> builder(&division);
  Value* value = division.getOperand(0);
  Value* divisor = division.getOperand(1);
  Type* type = division.getType();
  Value* one = ConstantInt::get(type, 1);
  Value* by_zero = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
  Value* by_minus_one = builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
  auto opcode = division.getOpcode();
  bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  Value* unsafe = is_signed ? builder.CreateOr(by_zero, by_minus_one) : by_zero;
  Value* safe_divisor = builder.CreateSelect(unsafe, one, divisor);
  Value* result = builder.CreateBinOp(opcode, value, safe_divisor);
  bool is_remainder = opcode == Instruction::SRem || opcode == Instruction::URem;
  if (is_remainder) {  // value % 1 == 0 is already right for -1
    return builder.CreateSelect(by_zero, value, result);
  }
  if (is_signed) result = builder.CreateSelect(by_minus_one, builder.CreateNeg(value), result);
  return builder.CreateSelect(by_zero, Constant::getAllOnesValue(type), result);
}

static Value* saturating_conversion(CastInst& conversion) {
  IRBuilder<> builder(&conversion);
  bool is_signed = conversion.getOpcode() == Instruction::FPToSI;
  auto intrinsic = is_signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  Type* type = conversion.getType();
  // Narrow results are the low bits of a 32-bit conversion, as in PTX.
  Type* wide = type->getScalarSizeInBits() < 32 ? type->getWithNewBitWidth(32) : type;
  Value* converted =
      builder.CreateIntrinsic(intrinsic, {wide, conversion.getSrcTy()}, {conversion.getOperand(0)});
  // NaN: zero, but the top bit alone where a double or a 64-bit integer is involved (PTX, cvt).
  unsigned width = wide->getScalarSizeInBits();
  if (width == 64 || conversion.getSrcTy()->getScalarType()->isDoubleTy()) {
    Value* source = conversion.getOperand(0);
    Value* is_nan = builder.CreateFCmpUNO(source, source);
    Value* top_bit = ConstantInt::get(wide, APInt::getSignMask(width));
    converted = builder.CreateSelect(is_nan, top_bit, converted);
  }
  return builder.CreateTrunc(converted, type);
}

static Value* defined_form(Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: {
      auto& shift = cast<BinaryOperator>(instruction);
      return is_known_shift(shift) ? nullptr : clamped_shift(shift);
    }
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem: {
      auto& division = cast<BinaryOperator>(instruction);
      if (division.getType()->isVectorTy() || is_harmless_divisor(division.getOperand(1)))
        return nullptr;
      return guarded_division(division);
    }
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return saturating_conversion(cast<CastInst>(instruction));
    default:
      return nullptr;
  }
}

/// What one access of a GPU touches at most, and has to be a multiple of.
constexpr Align widest_access = Align::Constant<16>();

static void cap(Instruction& access) {
  if (auto* load = dyn_cast<LoadInst>(&access))
    load->setAlignment(std::min(load->getAlign(), widest_access));
  if (auto* store = dyn_cast<StoreInst>(&access))
    store->setAlignment(std::min(store->getAlign(), widest_access));
  if (auto* set = dyn_cast<MemIntrinsic>(&access); set && set->getDestAlign())
    set->setDestAlignment(std::min(*set->getDestAlign(), widest_access));
  if (auto* copy = dyn_cast<MemTransferInst>(&access); copy && copy->getSourceAlign())
    copy->setSourceAlignment(std::min(*copy->getSourceAlign(), widest_access));
}

/// clang says of each reference how its type is aligned.
template <class Signature>
static void cap_references(Signature& signature) {
  const auto capped = [&](MaybeAlign align) { return align && *align > widest_access; };
  for (unsigned i = 0; i < signature.arg_size(); ++i) {
    const AttributeList all = signature.getAttributes();
    if (all.hasParamAttr(i, Attribute::ByVal) || !capped(all.getParamAlignment(i))) continue;
    signature.removeParamAttr(i, Attribute::Alignment);
    signature.addParamAttr(i, Attribute::getWithAlignment(signature.getContext(), widest_access));
  }
  if (!capped(signature.getAttributes().getRetAlignment())) return;
  signature.removeRetAttr(Attribute::Alignment);
  signature.addRetAttr(Attribute::getWithAlignment(signature.getContext(), widest_access));
}

static void cap_alignment(Function& function) {
  cap_references(function);
  for (Instruction& instruction : instructions(function)) {
    cap(instruction);
    if (auto* call = dyn_cast<CallBase>(&instruction)) cap_references(*call);
  }
}

void define_hardware_semantics(Module& module) {
  for (Function& function : module) {
    cap_alignment(function);
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      Value* replacement = defined_form(instruction);
      if (!replacement) continue;
      if (auto* named = dyn_cast<Instruction>(replacement)) named->takeName(&instruction);
      instruction.replaceAllUsesWith(replacement);
      instruction.eraseFromParent();
    }
  }
}

}  // namespace gridspan::transforms
