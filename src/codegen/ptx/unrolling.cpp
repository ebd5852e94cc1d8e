// Chooses counts and leaves them as metadata for LLVM's pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/unrolling.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
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
    SmallPtrSet<const Value*, 32> ephemeral;
    CodeMetrics::collectEphemeralValues(&loop, &assumptions_, ephemeral);
    CodeMetrics metrics;
    for (const BasicBlock* block : loop.blocks())
      metrics.analyzeBasicBlock(block, target_, ephemeral, /*PrepareForLTO=*/false, &loop);
    const bool is_simple = metrics.Convergence == ConvergenceKind::None &&
                           !metrics.notDuplicatable && metrics.NumCalls == 0 &&
                           metrics.NumInsts.isValid();
    return is_simple ? static_cast<unsigned>(*metrics.NumInsts.getValue()) : 0;
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

PreservedAnalyses ChooseUnrolling::run(Function& function, FunctionAnalysisManager& analyses) {
  Choice(function, analyses).run();
  return PreservedAnalyses::all();
}

}  // namespace gridspan::codegen::ptx
