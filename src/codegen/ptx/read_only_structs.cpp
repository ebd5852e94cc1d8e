// Follows a parameter's address to whatever uses it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/read_only_structs.h"

#include "transforms/kernels.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

/// The function reads it while it runs, at most.
bool only_reads(const CallBase& call, const Use& use) {
  if (!call.isDataOperand(&use) || !call.isArgOperand(&use)) return false;
  const unsigned argument = call.getArgOperandNo(&use);
  return call.onlyReadsMemory(argument) && call.doesNotCapture(argument) &&
         !call.paramHasAttr(argument, Attribute::Returned);
}

bool is_only_read(const Argument& structure) {
  SmallVector<const Value*> addresses{&structure};
  SmallPtrSet<const Value*, 16> seen(addresses.begin(), addresses.end());
  while (!addresses.empty()) {
    for (const Use& use : addresses.pop_back_val()->uses()) {
      const auto* const user = cast<Instruction>(use.getUser());
      if (isa<GetElementPtrInst, PHINode, SelectInst>(user)) {
        if (seen.insert(user).second) addresses.push_back(user);
        continue;
      }
      const auto* const load = dyn_cast<LoadInst>(user);
      const auto* const call = dyn_cast<CallBase>(user);
      if (!(load && load->isSimple()) && !(call && only_reads(*call, use))) return false;
    }
  }
  return true;
}

/// `parameters`: their numbers, from 1 on.
void mark(Function& kernel, ArrayRef<unsigned> parameters) {
  LLVMContext& context = kernel.getContext();
  Type* const number = Type::getInt32Ty(context);
  SmallVector<Metadata*> numbers;
  for (const unsigned parameter : parameters)
    numbers.push_back(ConstantAsMetadata::get(ConstantInt::get(number, parameter)));
  Metadata* const mark[] = {ConstantAsMetadata::get(&kernel),
                            MDString::get(context, "grid_constant"), MDNode::get(context, numbers)};
  kernel.getParent()
      ->getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(MDNode::get(context, mark));
}

}  // namespace

void keep_read_only_structs(Module& module) {
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module)) {
    SmallVector<unsigned> parameters;
    for (const Argument& argument : kernel.function->args())
      if (argument.hasByValAttr() && is_only_read(argument))
        parameters.push_back(argument.getArgNo() + 1);
    if (!parameters.empty()) mark(*kernel.function, parameters);
  }
}

}  // namespace gridspan::codegen::ptx
