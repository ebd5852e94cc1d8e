// The passes that unfold a kernel. None of them knows what memory holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/unfolded.h"

#include "analysis/prepare.h"
#include "transforms/inline_ptx/inline_ptx.h"
#include "transforms/sync_points.h"
#include "transforms/warp_steps/small_module.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr unsigned most_rounds = 32;
/// Instructions of one unrolled loop, and of a kernel.
constexpr unsigned most_in_loop = 4096, most_in_kernel = 12288;

/// Unrolls loops that walk over shared memory a known number of times, unless all of their rounds
/// meet anyway.
struct ChooseUnrolling : PassInfoMixin<ChooseUnrolling> {
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    auto& loops = analyses.getResult<LoopAnalysis>(function);
    auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    unsigned size = function.getInstructionCount();
    for (Loop* loop : loops.getLoopsInPreorder()) {
      const unsigned rounds = evolution.getSmallConstantTripCount(loop);
      unsigned body = 0;
      for (const BasicBlock* block : loop->blocks()) body += block->size();
      if (rounds == 0 || rounds > most_rounds || body * rounds > most_in_loop ||
          size + body * rounds > most_in_kernel || !is_wanted(*loop, dominators))
        continue;
      size += body * rounds;
      loop->setLoopID(nullptr);  // what the source asks for is for its own code
      addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
    }
    return PreservedAnalyses::all();
  }

  static bool is_wanted(const Loop& loop, const DominatorTree& dominators) {
    bool touches = false;
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) {
        auto point = as_sync_point(instruction);
        if (point && loop.getLoopLatch() && dominators.dominates(block, loop.getLoopLatch()))
          return false;
        touches |= !visible_accesses(instruction).empty();
      }
    return touches;
  }
};

void set_shape(Module& module, const std::array<std::uint32_t, 3>& shape) {
  const std::pair<Intrinsic::ID, std::uint32_t> sizes[] = {
      {Intrinsic::nvvm_read_ptx_sreg_ntid_x, shape[0]},
      {Intrinsic::nvvm_read_ptx_sreg_ntid_y, shape[1]},
      {Intrinsic::nvvm_read_ptx_sreg_ntid_z, shape[2]},
      {Intrinsic::nvvm_read_ptx_sreg_warpsize, 32}};
  for (const auto& [id, size] : sizes) {
    Function* reg = module.getFunction(Intrinsic::getName(id));
    if (!reg) continue;
    for (User* user : make_early_inc_range(reg->users())) {
      auto* call = dyn_cast<CallInst>(user);
      if (!call) continue;
      call->replaceAllUsesWith(ConstantInt::get(call->getType(), size));
      call->eraseFromParent();
    }
  }
}

void unroll(Function& kernel) {
  PassBuilder builder;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  // Twice: how often an inner loop goes round may follow from the outer one's round.
  for (int i = 0; i < 2; ++i) {
    passes.addPass(ChooseUnrolling());
    passes.addPass(createFunctionToLoopPassAdaptor(
        LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true)));
    passes.addPass(EarlyCSEPass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(EarlyCSEPass());
  }
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(kernel, functions);
}

}  // namespace

UnfoldedKernel unfold(Function& kernel, const SetVector<Function*>& reached, const Places& places,
                      const std::array<std::uint32_t, 3>& shape) {
  ValueToValueMapTy copies;
  std::unique_ptr<Module> module = small_module(reached.getArrayRef(), copies);
  auto* copy = cast<Function>(copies.lookup(&kernel));
  for (const Function* function : reached) places.mark(*function, copies);
  if (shape[0] != 0) set_shape(*module, shape);
  // Code for GPUs still has it. What is not known is told elsewhere, and here no access.
  UserErrors told_elsewhere;
  lower_inline_ptx(*module, told_elsewhere);
  analysis::prepare(*module);
  unroll(*copy);
  return {std::move(module), copy};
}

}  // namespace gridspan::transforms
