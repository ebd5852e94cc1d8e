// Chooses counts and leaves them as metadata for LLVM's pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/unrolling.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

/// Instructions that an unrolled loop may have, and copies of its body. A loop of a length known at
/// run time only has another one for what is left, which may be all.
constexpr unsigned most_instructions = 384, most_copies = 8;
constexpr unsigned most_instructions_at_run_time = 160, most_copies_at_run_time = 4;
/// LLVM's own limit.
constexpr unsigned usual_instructions = 75;
/// Instructions that a loop may become that is written out; the same of one that keeps an array of
/// the thread's in memory.
constexpr unsigned most_written_out = 640, most_for_array = 4096;

bool says_itself(const Loop& loop) {
  const MDNode* properties = loop.getLoopID();
  return properties && any_of(drop_begin(properties->operands()), [](const MDOperand& operand) {
           const auto* property = dyn_cast<MDNode>(operand);
           const auto* name = property && property->getNumOperands() != 0
                                  ? dyn_cast<MDString>(property->getOperand(0))
                                  : nullptr;
           return name && name->getString().starts_with("llvm.loop.unroll");
         });
}

/// 0: it must not be copied.
unsigned size_of(const Loop& loop, AssumptionCache& assumptions, const TargetTransformInfo& target,
                 CodeMetrics& metrics) {
  SmallPtrSet<const Value*, 32> ephemeral;
  CodeMetrics::collectEphemeralValues(&loop, &assumptions, ephemeral);
  for (const BasicBlock* block : loop.blocks())
    metrics.analyzeBasicBlock(block, target, ephemeral, /*PrepareForLTO=*/false, &loop);
  const bool is_simple = !metrics.notDuplicatable && metrics.NumInsts.isValid();
  return is_simple ? static_cast<unsigned>(*metrics.NumInsts.getValue()) : 0;
}

/// The subscript of the array is a constant once the loop is written out.
bool walks_through_array(const Value& pointer, const Loop& loop, ScalarEvolution& evolution) {
  const Value* const array = getUnderlyingObject(&pointer);
  if (!isa<AllocaInst>(array) || !evolution.isSCEVable(pointer.getType())) return false;
  const SCEV* const place = evolution.getSCEV(const_cast<Value*>(&pointer));
  if (evolution.isLoopInvariant(place, &loop)) return false;
  return !SCEVExprContains(place, [&](const SCEV* part) {
    const auto* const value = dyn_cast<SCEVUnknown>(part);
    const auto* const other = dyn_cast<SCEVAddRecExpr>(part);
    return (value && getUnderlyingObject(value->getValue()) != array) ||
           (other && other->getLoop() != &loop);
  });
}

bool walks_through_array(const Loop& loop, ScalarEvolution& evolution) {
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& instruction) {
      const Value* const pointer = getLoadStorePointerOperand(&instruction);
      return pointer && walks_through_array(*pointer, loop, evolution);
    });
  });
}

class Choice {
 public:
  Choice(Function& function, FunctionAnalysisManager& analyses)
      : loops_(analyses.getResult<LoopAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        target_(analyses.getResult<TargetIRAnalysis>(function)),
        assumptions_(analyses.getResult<AssumptionAnalysis>(function)) {}

  void run() {
    for (Loop* loop : loops_.getLoopsInPreorder()) {
      if (!loop->isInnermost() || says_itself(*loop)) continue;
      if (const unsigned count = count_for(*loop); count > 1)
        addStringMetadataToLoop(loop, "llvm.loop.unroll.count", count);
    }
  }

 private:
  /// 0: not for us.
  unsigned size_of(const Loop& loop) const {
    CodeMetrics metrics;
    const unsigned size = ptx::size_of(loop, assumptions_, target_, metrics);
    const bool is_simple = metrics.Convergence == ConvergenceKind::None && metrics.NumCalls == 0;
    return is_simple ? size : 0;
  }

  /// How often, where that is more than LLVM would; else 0.
  unsigned count_for(Loop& loop) {
    const unsigned size = size_of(loop);
    if (size == 0 || loop.getExitingBlock() != loop.getLoopLatch()) return 0;
    const unsigned usual = std::max(1u, usual_instructions / size);
    if (const unsigned length = evolution_.getSmallConstantTripCount(&loop)) {
      unsigned count = most_copies;
      while (count > 1 && (count * size > most_instructions || length % count != 0)) count /= 2;
      return count > usual && count < length ? count : 0;
    }
    if (!has_cheap_length(loop)) return 0;
    unsigned count = most_copies_at_run_time;
    while (count * size > most_instructions_at_run_time) count /= 2;
    const unsigned longest = evolution_.getSmallConstantMaxTripCount(&loop);
    return count > usual && (longest == 0 || longest > 2 * count) ? count : 0;
  }

  /// What LLVM asks before it unrolls a loop of unknown length by itself.
  bool has_cheap_length(Loop& loop) {
    const SCEV* length = evolution_.getBackedgeTakenCount(&loop);
    const BasicBlock* before = loop.getLoopPreheader();
    if (!before || isa<SCEVCouldNotCompute>(length)) return false;
    SCEVExpander expander(evolution_, loop.getHeader()->getModule()->getDataLayout(), "unrolling");
    return !expander.isHighCostExpansion(length, &loop, SCEVCheapExpansionBudget, &target_,
                                         before->getTerminator());
  }

  LoopInfo& loops_;
  ScalarEvolution& evolution_;
  const TargetTransformInfo& target_;
  AssumptionCache& assumptions_;
};

}  // namespace

PreservedAnalyses ChooseFullUnrolling::run(Loop& loop, LoopAnalysisManager&,
                                           LoopStandardAnalysisResults& results, LPMUpdater&) {
  const unsigned length = results.SE.getSmallConstantTripCount(&loop);
  if (length == 0 || says_itself(loop)) return PreservedAnalyses::all();
  CodeMetrics metrics;
  const std::uint64_t size = size_of(loop, results.AC, results.TTI, metrics);
  const bool has_array = walks_through_array(loop, results.SE);
  const std::uint64_t most = has_array ? most_for_array : most_written_out;
  if (size != 0 && size * length <= most) addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return PreservedAnalyses::all();
}

PreservedAnalyses ChooseUnrolling::run(Function& function, FunctionAnalysisManager& analyses) {
  Choice(function, analyses).run();
  return PreservedAnalyses::all();
}

}  // namespace gridspan::codegen::ptx
