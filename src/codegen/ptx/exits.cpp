// Adds the early return, and takes it away.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/exits.h"

#include "transforms/kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

constexpr StringRef name = "gridspan_never";

/// Nothing is known of its result.
Function& declare(Module& module) {
  auto* const function =
      Function::Create(FunctionType::get(Type::getInt1Ty(module.getContext()), false),
                       GlobalValue::ExternalLinkage, name, module);
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return *function;
}

/// The block behind the first one, which keeps all variables: only there may they become registers.
BasicBlock* split_off_body(BasicBlock& entry) {
  BasicBlock* const body = entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "body");
  for (Instruction& instruction : make_early_inc_range(*body)) {
    auto* const variable = dyn_cast<AllocaInst>(&instruction);
    if (variable && isa<ConstantInt>(variable->getArraySize()))
      variable->moveBefore(entry.getTerminator());
  }
  return body;
}

void separate_exit(Function& kernel, Function& never) {
  BasicBlock& entry = kernel.getEntryBlock();
  BasicBlock* const body = split_off_body(entry);
  BasicBlock* const exit = BasicBlock::Create(kernel.getContext(), "exit", &kernel);
  for (BasicBlock& block : kernel) {
    auto* const end = dyn_cast_or_null<ReturnInst>(block.getTerminator());
    if (!end) continue;
    BranchInst::Create(exit, end->getIterator());
    end->eraseFromParent();
  }
  IRBuilder<>(exit).CreateRetVoid();
  entry.getTerminator()->eraseFromParent();
  IRBuilder<> builder(&entry);
  builder.CreateCondBr(builder.CreateCall(&never), exit, body);
}

void tidy(Function& function) {
  for (BasicBlock& block : function) ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  removeUnreachableBlocks(function);
  for (BasicBlock& block : make_early_inc_range(function)) MergeBlockIntoPredecessor(&block);
}

}  // namespace

void separate_exits(Module& module) {
  Function& never = declare(module);
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module))
    if (!kernel.function->isDeclaration()) separate_exit(*kernel.function, never);
}

void join_exits(Module& module) {
  Function* const never = module.getFunction(name);
  if (!never) return;
  SetVector<Function*> callers;
  for (User* user : make_early_inc_range(never->users())) {
    auto* const call = cast<CallInst>(user);
    callers.insert(call->getFunction());
    call->replaceAllUsesWith(ConstantInt::getFalse(module.getContext()));
    call->eraseFromParent();
  }
  never->eraseFromParent();
  for (Function* caller : callers) tidy(*caller);
}

}  // namespace gridspan::codegen::ptx
