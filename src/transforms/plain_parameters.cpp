// Signatures first, then calls: a call's type is its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/plain_parameters.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

Type* plain(Type* type) {
  const bool is_foreign = type->isPointerTy() && type->getPointerAddressSpace() != 0;
  return is_foreign ? PointerType::get(type->getContext(), 0) : type;
}

FunctionType* plain(FunctionType* type) {
  SmallVector<Type*> parameters;
  for (Type* one : type->params()) parameters.push_back(plain(one));
  return FunctionType::get(plain(type->getReturnType()), parameters, type->isVarArg());
}

/// As a generic pointer. Of an integer's making it is what the integer was made of.
Value* plain_pointer(IRBuilder<>& builder, Value* pointer) {
  if (auto* made = dyn_cast<ConstantExpr>(pointer);
      made && made->getOpcode() == Instruction::IntToPtr)
    if (auto* number = dyn_cast<PtrToIntOperator>(made->getOperand(0)))
      if (number->getPointerAddressSpace() == 0) return number->getPointerOperand();
  return builder.CreateAddrSpaceCast(pointer, plain(pointer->getType()));
}

void change_results(Function& function) {
  for (BasicBlock& block : function) {
    auto* result = dyn_cast<ReturnInst>(block.getTerminator());
    if (!result || !result->getReturnValue()) continue;
    IRBuilder<> builder(result);
    Value* value = result->getReturnValue();
    if (value->getType() != function.getReturnType())
      result->setOperand(0, plain_pointer(builder, value));
  }
}

void change_signature(Function& function) {
  FunctionType* type = plain(function.getFunctionType());
  if (type == function.getFunctionType()) return;
  Function* changed = Function::Create(type, function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), changed);
  changed->copyAttributesFrom(&function);
  changed->setComdat(function.getComdat());
  changed->copyMetadata(&function, 0);
  changed->takeName(&function);
  changed->splice(changed->begin(), &function);
  for (Argument& old : function.args()) {
    Argument* argument = changed->getArg(old.getArgNo());
    argument->takeName(&old);
    Value* value = argument;
    if (argument->getType() != old.getType() && !old.use_empty()) {
      IRBuilder<> builder(&*changed->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      value = builder.CreateAddrSpaceCast(argument, old.getType());
    }
    if (value->getType() == old.getType()) old.replaceAllUsesWith(value);
  }
  if (!changed->isDeclaration()) change_results(*changed);
  function.replaceAllUsesWith(changed);
  function.eraseFromParent();
}

void change_call(CallBase& call) {
  FunctionType* type = plain(call.getFunctionType());
  if (type == call.getFunctionType() || isa<IntrinsicInst>(call) || call.isInlineAsm()) return;
  IRBuilder<> builder(&call);
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    if (call.getArgOperand(i)->getType() != type->getParamType(i))
      call.setArgOperand(i, plain_pointer(builder, call.getArgOperand(i)));
  Type* result = call.getType();
  call.mutateFunctionType(type);
  if (result == call.getType()) return;
  builder.SetInsertPoint(call.getNextNode());
  auto* generic = cast<Instruction>(builder.CreateAddrSpaceCast(&call, result));
  call.replaceUsesWithIf(generic, [generic](const Use& use) { return use.getUser() != generic; });
}

}  // namespace

void make_parameters_plain(Module& module) {
  for (Function& function : make_early_inc_range(module))
    if (!function.isIntrinsic()) change_signature(function);
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function)))
      if (auto* call = dyn_cast<CallBase>(&instruction)) change_call(*call);
}

}  // namespace gridspan::transforms
