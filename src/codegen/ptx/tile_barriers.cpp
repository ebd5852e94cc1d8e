// Calls what clears the barriers of tiles, at entry.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/tile_barriers.h"

#include "abi/sync.h"
#include "transforms/kernels.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

static bool reaches(Function& kernel, const Function& callee) {
  return any_of(transforms::reachable_functions(kernel), [&](Function* function) {
    return any_of(instructions(*function), [&](const Instruction& instruction) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      return call && call->getCalledFunction() == &callee;
    });
  });
}

void clear_tile_barriers(Module& module) {
  const Function* barrier = module.getFunction(abi::numbered_barrier_function);
  if (!barrier) return;
  LLVMContext& context = module.getContext();
  FunctionCallee clear =
      module.getOrInsertFunction("gridspan_clear_tile_barriers", Type::getVoidTy(context));
  cast<Function>(clear.getCallee())->addFnAttr(Attribute::Convergent);
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module)) {
    if (!reaches(*kernel.function, *barrier)) continue;
    BasicBlock& entry = kernel.function->getEntryBlock();
    IRBuilder<> builder(&*entry.getFirstNonPHIOrDbgOrAlloca());
    // Calls in functions with lines need one, too.
    if (DISubprogram* program = kernel.function->getSubprogram())
      builder.SetCurrentDebugLocation(DILocation::get(context, program->getLine(), 0, program));
    builder.CreateCall(clear)->setConvergent();
  }
}

}  // namespace gridspan::codegen::ptx
