// Sums that have a product as an operand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/contraction.h"

#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

class Contraction {
 public:
  Contraction(Function& function, const TargetMachine& gpu)
      : function_(function), lowering_(*gpu.getSubtargetImpl(function)->getTargetLowering()) {}

  void run() {
    for (Instruction& instruction : make_early_inc_range(instructions(function_)))
      if (is_sum(instruction) && has_instruction(*instruction.getType()))
        contract(cast<BinaryOperator>(instruction));
    for (Instruction& instruction : instructions(function_)) {
      auto* call = dyn_cast<IntrinsicInst>(&instruction);
      if (call && call->getIntrinsicID() == Intrinsic::fmuladd && !call->hasAllowReassoc() &&
          has_instruction(*call->getType()))
        call->setCalledFunction(
            Intrinsic::getDeclaration(function_.getParent(), Intrinsic::fma, {call->getType()}));
    }
    for (Instruction& instruction : instructions(function_))
      if (isa<FPMathOperator>(instruction) && !instruction.hasAllowReassoc())
        instruction.setHasAllowContract(false);
  }

 private:
  static bool is_sum(const Instruction& instruction) {
    return (instruction.getOpcode() == Instruction::FAdd ||
            instruction.getOpcode() == Instruction::FSub) &&
           instruction.hasAllowContract() && !instruction.hasAllowReassoc();
  }

  bool has_instruction(Type& type) const {
    return lowering_.isOperationLegalOrCustom(ISD::FMA, EVT::getEVT(type.getScalarType()));
  }

  /// Of the operand, if it is one that may become part of the sum.
  static Instruction* product_of(const BinaryOperator& sum, unsigned operand) {
    auto* product = dyn_cast<Instruction>(sum.getOperand(operand));
    const bool fits = product && product->getOpcode() == Instruction::FMul &&
                      product->hasAllowContract() && product->getParent() == sum.getParent();
    return fits ? product : nullptr;
  }

  /// Of two products the one that is needed less elsewhere.
  static void contract(BinaryOperator& sum) {
    Instruction *left = product_of(sum, 0), *right = product_of(sum, 1);
    if (!left && !right) return;
    if (left && right && left->getNumUses() > right->getNumUses()) left = nullptr;
    Instruction& product = left ? *left : *right;
    const bool is_difference = sum.getOpcode() == Instruction::FSub;
    IRBuilder<> builder(&sum);
    FastMathFlags flags = sum.getFastMathFlags();
    flags.setAllowContract(false);
    builder.setFastMathFlags(flags);
    Value* factor = product.getOperand(0);
    Value* other = sum.getOperand(left ? 1 : 0);
    if (is_difference && left) other = builder.CreateFNeg(other);
    if (is_difference && !left) factor = builder.CreateFNeg(factor);
    Value* fused = builder.CreateIntrinsic(Intrinsic::fma, {sum.getType()},
                                           {factor, product.getOperand(1), other});
    fused->takeName(&sum);
    sum.replaceAllUsesWith(fused);
    sum.eraseFromParent();
    if (product.use_empty()) product.eraseFromParent();
  }

  Function& function_;
  const TargetLowering& lowering_;
};

}  // namespace

void contract(Module& module, const TargetMachine& gpu) {
  for (Function& function : module)
    if (!function.isDeclaration()) Contraction(function, gpu).run();
}

}  // namespace gridspan::codegen::ptx
