// The passes that make early IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/prepare.h"

#include "analysis/inlining.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace gridspan::analysis {

using namespace llvm;

void prepare(Module& module) {
  mark_for_inlining(module);
  // Loads stay where their conditions are, also those of variables, which could not fault.
  for (Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr(Attribute::SanitizeThread);
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
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  FunctionPassManager scalars;
  scalars.addPass(SROAPass(SROAOptions::ModifyCFG));
  scalars.addPass(EarlyCSEPass());
  scalars.addPass(SimplifyCFGPass());
  scalars.addPass(SROAPass(SROAOptions::ModifyCFG));
  scalars.addPass(LoopSimplifyPass());
  scalars.addPass(LCSSAPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(scalars)));
  // A function that was passed as a pointer is called by name once its caller's caller is known: it
  // is seen through in the next round. Each takes one pointer away from the call; chains of more
  // are not worth the time.
  constexpr int most_rounds = 4;
  for (int round = 0; round < most_rounds; ++round) {
    passes.run(module, modules);
    modules.clear();
    if (!calls_what_can_be_inlined(module)) break;
    mark_for_inlining(module);
  }
}

}  // namespace gridspan::analysis
