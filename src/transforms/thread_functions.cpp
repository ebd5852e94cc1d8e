// The hidden ThreadContext parameter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/thread_functions.h"

#include "transforms/context.h"
#include "transforms/indirect_calls.h"
#include "transforms/sync_points.h"
#include "transforms/warp_calls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::transforms {

using namespace llvm;

void copy_code_attributes(const Function& from, Function& to) {
  for (Attribute attribute : from.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute()) to.addFnAttr(attribute);
  to.setDoesNotThrow();
}

void forget_tail_calls(Function& function) {
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallInst>(&instruction)) call->setTailCall(false);
}

static bool is_indirect(const CallBase& call) {
  return !call.isInlineAsm() && !isa<Function>(call.getCalledOperand()->stripPointerCasts());
}

static bool asks_for_thread(Function& function) {
  for (Instruction& instruction : instructions(function)) {
    if (is_repeatable_context_call(instruction) || as_sync_point(instruction)) return true;
    if (instruction.isAtomic() || instruction.isVolatile()) return true;  // yields on fibers
    if (auto* call = dyn_cast<CallBase>(&instruction); call && is_indirect(*call)) return true;
  }
  return false;
}

static SetVector<Function*> functions_needing_thread(Module& module,
                                                     const SmallPtrSetImpl<Function*>& kernels) {
  SetVector<Function*> needing;
  for (Function& function : module) {
    if (function.isDeclaration() || kernels.contains(&function)) continue;
    if (is_lanes_function(function)) continue;  // the run time calls it, for a warp
    if (function.hasAddressTaken() || asks_for_thread(function)) needing.insert(&function);
  }
  for (unsigned i = 0; i < needing.size(); ++i)
    for (User* user : needing[i]->users())
      if (auto* call = dyn_cast<CallBase>(user))
        if (!kernels.contains(call->getFunction())) needing.insert(call->getFunction());
  return needing;
}

static FunctionType* with_thread(FunctionType* type) {
  SmallVector<Type*> parameters{PointerType::get(type->getContext(), 0)};
  append_range(parameters, type->params());
  return FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

/// Parameter attributes move up by one; what was inferred about memory no longer holds.
static AttributeList with_thread(LLVMContext& context, AttributeList list, unsigned parameters) {
  SmallVector<AttributeSet> sets{AttributeSet()};
  for (unsigned i = 0; i < parameters; ++i) sets.push_back(list.getParamAttrs(i));
  return AttributeList::get(context, list.getFnAttrs(), list.getRetAttrs(), sets)
      .removeFnAttribute(context, Attribute::Memory)
      .removeFnAttribute(context, Attribute::Speculatable)
      .removeFnAttribute(context, Attribute::NoSync);
}

static Function* add_parameter(Function& function) {
  LLVMContext& context = function.getContext();
  Function* twin = Function::Create(with_thread(function.getFunctionType()), function.getLinkage(),
                                    "", function.getParent());
  twin->copyAttributesFrom(&function);
  twin->setAttributes(with_thread(context, function.getAttributes(), function.arg_size()));
  twin->setSubprogram(function.getSubprogram());
  twin->takeName(&function);
  twin->splice(twin->begin(), &function);
  twin->getArg(0)->setName("thread");
  for (Argument& old : function.args()) {
    Argument* moved = twin->getArg(old.getArgNo() + 1);
    moved->takeName(&old);
    old.replaceAllUsesWith(moved);
  }
  function.setSubprogram(nullptr);
  return twin;
}

static void pass_thread(CallBase& call) {
  Module& module = *call.getModule();
  IRBuilder<> builder(&call);
  SmallVector<Value*> arguments{builder.CreateCall(marker(module, Marker::thread))};
  append_range(arguments, call.args());
  auto* twin = CallInst::Create(with_thread(call.getFunctionType()), call.getCalledOperand(),
                                arguments, "", call.getIterator());
  twin->setAttributes(with_thread(call.getContext(), call.getAttributes(), call.arg_size()));
  twin->setCallingConv(call.getCallingConv());
  twin->copyMetadata(call);
  twin->takeName(&call);
  call.replaceAllUsesWith(twin);
  call.eraseFromParent();
}

std::vector<Function*> pass_thread_to_functions(Module& module,
                                                const SmallPtrSetImpl<Function*>& kernels) {
  SetVector<Function*> needing = functions_needing_thread(module, kernels);
  SmallVector<CallBase*> calls;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (auto* call = dyn_cast<CallBase>(&instruction); call && !call->isInlineAsm()) {
        auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
        if (!callee || needing.contains(callee)) calls.push_back(call);
      }
  for (CallBase* call : calls) {
    if (is_indirect(*call)) check_call_target(*call);
    pass_thread(*call);
  }
  std::vector<Function*> twins;
  for (Function* function : needing) {
    const bool is_target = function->hasAddressTaken();
    Function* twin = add_parameter(*function);
    if (is_target) mark_call_target(*twin);
    function->replaceAllUsesWith(twin);
    function->eraseFromParent();
    twins.push_back(twin);
  }
  return twins;
}

// --- by-value structs ----------------------------------------------------------------------------

/// Only loads and copies read through `pointer`.
static bool is_only_read(const Value& pointer) {
  return all_of(pointer.users(), [&](const User* user) {
    if (auto* load = dyn_cast<LoadInst>(user)) return !load->isVolatile();
    if (isa<GetElementPtrInst, BitCastInst>(user)) return is_only_read(*user);
    if (auto* copy = dyn_cast<MemTransferInst>(user))
      return copy->getRawSource() == &pointer && copy->getRawDest() != &pointer;
    return isa<ICmpInst>(user);
  });
}

void copy_written_parameters(Function& kernel) {
  for (Argument& parameter : kernel.args()) {
    if (!parameter.hasByValAttr() || is_only_read(parameter)) continue;
    IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    Type* type = parameter.getParamByValType();
    AllocaInst* copy = builder.CreateAlloca(type, nullptr, parameter.getName() + ".copy");
    Align align = std::max(parameter.getParamAlign().valueOrOne(), copy->getAlign());
    copy->setAlignment(align);
    parameter.replaceAllUsesWith(copy);
    std::uint64_t size = kernel.getParent()->getDataLayout().getTypeAllocSize(type);
    builder.CreateMemCpy(copy, align, &parameter, parameter.getParamAlign(), size);
  }
}

}  // namespace gridspan::transforms
