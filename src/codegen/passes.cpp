// The one place that includes PassBuilder (4 s of compile time).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/passes.h"

#include "codegen/block_scheduler.h"
#include "codegen/ptx/unrolling.h"
#include "transforms/gather_addresses.h"
#include "transforms/rolled_loops.h"
#include "transforms/sink_splats.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

namespace gridspan::codegen {

using namespace llvm;

namespace {

/// A pass builder with all its analysis managers, wired up.
struct Pipeline {
  explicit Pipeline(TargetMachine& target, PipelineTuningOptions tuning = {})
      : builder(&target, tuning, std::nullopt, &instrumentation) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }

  /// `names`: of the classes.
  void leave_out(ArrayRef<StringRef> names) {
    instrumentation.registerShouldRunOptionalPassCallback(
        [names](StringRef pass, const Any&) { return !is_contained(names, pass); });
  }

  PassInstrumentationCallbacks instrumentation;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder;
};

OptimizationLevel level_of(unsigned level) {
  switch (level) {
    case 0:
    case 1:
      return OptimizationLevel::O1;
    case 2:
      return OptimizationLevel::O2;
    default:
      return OptimizationLevel::O3;
  }
}

/// Comes before loops are unrolled.
struct KeepRolledPass : PassInfoMixin<KeepRolledPass> {
  PreservedAnalyses run(Loop& loop, LoopAnalysisManager&, LoopStandardAnalysisResults& results,
                        LPMUpdater&) {
    transforms::keep_rolled(loop, results.SE);
    return PreservedAnalyses::all();
  }
};

}  // namespace

/// Sums of subscripts that are put together differently may wrap, for all that is known then.
static constexpr StringRef reassociation[] = {"ReassociatePass"};

/// What one function tells of another is known since the module was simplified.
static constexpr StringRef between_functions[] = {
    "IPSCCPPass",    "CalledValuePropagationPass", "DeadArgumentEliminationPass",
    "OpenMPOptPass", "PostOrderFunctionAttrsPass", "ReversePostOrderFunctionAttrsPass"};

/// What makes one access of several. (The names are asked for as long as passes run.)
static constexpr StringRef merging_accesses[] = {"ReassociatePass", "SimplifyCFGPass",
                                                 "MergedLoadStoreMotionPass"};

static void keep_loops_rolled(Pipeline& pipeline) {
  pipeline.builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager& loops, OptimizationLevel) { loops.addPass(KeepRolledPass()); });
}

void simplify(Module& module, TargetMachine& target, bool keeps_lines) {
  Pipeline pipeline(target);
  pipeline.leave_out(keeps_lines ? ArrayRef<StringRef>(merging_accesses) : reassociation);
  keep_loops_rolled(pipeline);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(pipeline.builder.buildModuleSimplificationPipeline(OptimizationLevel::O2,
                                                                    ThinOrFullLTOPhase::None));
  passes.run(module, pipeline.modules);
  if (!keeps_lines) return;
  Pipeline last(target);
  ModulePassManager tidy;
  tidy.addPass(createModuleToFunctionPassAdaptor(SimplifyCFGPass(SimplifyCFGOptions())));
  tidy.run(module, last.modules);
}

void simplify_glued(Function& function, TargetMachine& target) {
  Pipeline pipeline(target);
  pipeline.leave_out(reassociation);
  keep_loops_rolled(pipeline);
  pipeline.builder
      .buildFunctionSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None)
      .run(function, pipeline.functions);
}

void simplify_again(Function& function, TargetMachine& target) {
  Pipeline pipeline(target);
  pipeline.leave_out(reassociation);
  pipeline.builder
      .buildFunctionSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None)
      .run(function, pipeline.functions);
}

void use_ranges(Function& function, TargetMachine& target) {
  Pipeline pipeline(target);
  FunctionPassManager passes;
  passes.addPass(InstCombinePass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().needCanonicalLoops(true)));
  passes.addPass(ADCEPass());
  passes.run(function, pipeline.functions);
}

void expose_accesses(Module& module, TargetMachine& target) {
  Pipeline pipeline(target);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
  passes.run(module, pipeline.modules);
}

void remove_redundant_accesses(Module& module, TargetMachine& target) {
  Pipeline pipeline(target);
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(ADCEPass());
  ModulePassManager all;
  all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, pipeline.modules);
}

void promote_stores(TargetMachine& target, Function& function) {
  Pipeline pipeline(target);
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(DSEPass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().needCanonicalLoops(true)));
  passes.addPass(ADCEPass());
  passes.run(function, pipeline.functions);
}

void tidy_regions(Module&, TargetMachine& target, ArrayRef<Function*> regions) {
  Pipeline pipeline(target);
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().needCanonicalLoops(true)));
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(EarlyCSEPass());
  passes.addPass(ADCEPass());
  for (Function* region : regions) passes.run(*region, pipeline.functions);
}

void optimise(Module& module, TargetMachine& target, unsigned level) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = level >= 2;
  Pipeline pipeline(target, tuning);
  pipeline.leave_out(between_functions);
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());  // what was left out of a variant
  passes.addPass(pipeline.builder.buildPerModuleDefaultPipeline(level_of(level)));
  passes.run(module, pipeline.modules);
}

static void remove_dead_code(Function& function, Pipeline& pipeline) {
  pipeline.functions.invalidate(function, PreservedAnalyses::none());
  FunctionPassManager passes;
  passes.addPass(ADCEPass());
  passes.run(function, pipeline.functions);
}

static bool sink_splats(Function& function, FunctionAnalysisManager& analyses) {
  if (analyses.getResult<LoopAnalysis>(function).empty()) return false;
  const auto& costs = analyses.getResult<TargetIRAnalysis>(function);
  const unsigned registers = costs.getNumberOfRegisters(costs.getRegisterClassForType(true));
  return transforms::sink_splats(analyses.getResult<LoopAnalysis>(function),
                                 analyses.getResult<MemorySSAAnalysis>(function).getMSSA(),
                                 registers);
}

void sink_splats(Module& module, TargetMachine& target) {
  Pipeline pipeline(target);
  for (Function& function : module)
    if (!function.isDeclaration() && sink_splats(function, pipeline.functions))
      remove_dead_code(function, pipeline);
}

void split_gather_addresses(Module& module, TargetMachine& target) {
  Pipeline pipeline(target);
  for (Function& function : module)
    if (!function.isDeclaration() && transforms::split_gather_addresses(function))
      remove_dead_code(function, pipeline);
}

void optimise_for_gpu(Module& module, TargetMachine& target, unsigned level) {
  Pipeline pipeline(target);
  pipeline.builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager& loops, OptimizationLevel) { loops.addPass(ptx::ChooseFullUnrolling()); });
  pipeline.builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager& passes, OptimizationLevel) {
        // Loops of a few rounds at most, as over a halo: loads of one round need not wait for the
        // last one's.
        passes.addPass(LoopUnrollPass(LoopUnrollOptions()
                                          .setUpperBound(true)
                                          .setFullUnrollMaxCount(4)
                                          .setPartial(false)
                                          .setRuntime(false)
                                          .setPeeling(false)));
        passes.addPass(ptx::ChooseUnrolling());
      });
  pipeline.builder.buildPerModuleDefaultPipeline(level_of(level)).run(module, pipeline.modules);
}

void remove_unused(Module& module, TargetMachine& target) {
  Pipeline pipeline(target);
  GlobalDCEPass().run(module, pipeline.modules);
}

/// As TargetMachine::addPassesToEmitFile does it, but that nothing is moved towards its use: ptxas
/// knows better what to keep in registers, see ptx/exits.h.
std::string ptx_of(Module& module, TargetMachine& target) {
  SmallString<0> text;
  raw_svector_ostream stream(text);
  auto& machine = static_cast<LLVMTargetMachine&>(target);
  legacy::PassManager passes;
  TargetPassConfig* const config = machine.createPassConfig(passes);
  config->disablePass(&MachineSinkingID);
  auto* const information = new MachineModuleInfoWrapperPass(&machine);
  passes.add(config);
  passes.add(information);
  bool fails = config->addISelPasses();
  if (!fails) {
    config->addMachinePasses();
    config->setInitialized();
    fails = machine.addAsmPrinter(passes, stream, nullptr, CodeGenFileType::AssemblyFile,
                                  information->getMMI().getContext());
  }
  if (fails) report_fatal_error("the target cannot write PTX");
  passes.add(createFreeMachineFunctionPass());
  passes.run(module);
  return std::string(text);
}

bool emit_object(Module& module, TargetMachine& target, StringRef path, std::string& error) {
  order_long_blocks_fast();
  std::error_code code;
  raw_fd_ostream file(path, code, sys::fs::OF_None);
  if (code) {
    error = "cannot write '" + path.str() + "': " + code.message();
    return false;
  }
  legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, file, nullptr, CodeGenFileType::ObjectFile)) {
    error = "the target cannot write object files";
    return false;
  }
  passes.run(module);
  file.close();
  if (file.has_error()) {
    error = "cannot write '" + path.str() + "': " + file.error().message();
    file.clear_error();
    return false;
  }
  return true;
}

}  // namespace gridspan::codegen
