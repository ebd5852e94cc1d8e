// Address spaces, data layout and function attributes of the CPU module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/retarget.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

static bool is_foreign_pointer(Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() != 0;
}

static Type* plain_pointer(Type* type) { return PointerType::get(type->getContext(), 0); }

/// Intrinsics name their pointers' address spaces; the call is remade with the plain declaration.
static void rename_intrinsic(IntrinsicInst& call) {
  Function* old = call.getCalledFunction();
  SmallVector<Type*> overloads;
  if (!Intrinsic::getIntrinsicSignature(old, overloads)) return;
  bool changed = false;
  for (Type*& type : overloads) {
    if (!is_foreign_pointer(type)) continue;
    type = plain_pointer(type);
    changed = true;
  }
  if (changed)
    call.setCalledFunction(
        Intrinsic::getDeclaration(call.getModule(), call.getIntrinsicID(), overloads));
}

static void to_plain_pointers(Function& function) {
  // Names first: the overloaded types are read off the still unchanged declarations.
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction)) rename_intrinsic(*call);
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* cast = dyn_cast<AddrSpaceCastInst>(&instruction)) {
      cast->replaceAllUsesWith(cast->getPointerOperand());
      cast->eraseFromParent();
      continue;
    }
    if (is_foreign_pointer(instruction.getType()))
      instruction.mutateType(plain_pointer(instruction.getType()));
    for (Use& operand : instruction.operands()) {
      auto* constant = dyn_cast<Constant>(operand.get());
      if (!constant) continue;
      if (auto* cast = dyn_cast<ConstantExpr>(constant);
          cast && cast->getOpcode() == Instruction::AddrSpaceCast)
        operand.set(cast->getOperand(0));
      else if (is_foreign_pointer(constant->getType()))
        operand.set(isa<UndefValue>(constant)
                        ? UndefValue::get(plain_pointer(constant->getType()))
                        : Constant::getNullValue(plain_pointer(constant->getType())));
    }
  }
}

static void drop_gpu_attributes(Function& function) {
  for (StringRef name : {"target-cpu", "target-features", "nvptx-f32ftz", "uniform-work-group-size",
                         "frame-pointer", "stack-protector-buffer-size"})
    function.removeFnAttr(name);
  // fp denormals behave as IEEE says unless the user asked otherwise; clang records it per
  // function.
  function.setComdat(nullptr);
}

void set_target_attributes(Module& module, const TargetMachine& target) {
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", target.getTargetCPU());
    if (!target.getTargetFeatureString().empty())
      function.addFnAttr("target-features", target.getTargetFeatureString());
  }
}

void retarget(Module& module, const TargetMachine& target) {
  for (Function& function : module) {
    if (function.isIntrinsic()) continue;
    drop_gpu_attributes(function);
    if (!function.isDeclaration()) to_plain_pointers(function);
    function.setVisibility(GlobalValue::DefaultVisibility);
    function.setDSOLocal(false);
    if (!function.isDeclaration()) function.setLinkage(GlobalValue::InternalLinkage);
  }
  for (GlobalVariable& variable : module.globals()) {
    if (variable.hasAppendingLinkage()) continue;  // llvm.compiler.used
    variable.setComdat(nullptr);
    variable.setVisibility(GlobalValue::DefaultVisibility);
    if (!variable.isDeclaration()) variable.setLinkage(GlobalValue::InternalLinkage);
  }
  if (NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations"))
    annotations->eraseFromParent();
  module.setTargetTriple(target.getTargetTriple().str());
  module.setDataLayout(target.createDataLayout());
}

}  // namespace gridspan::transforms
