// Weighs operations by how often their blocks run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/gathers.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::codegen {

using namespace llvm;

namespace {

struct Operations {
  double gathers = 0, others = 0, stores = 0;
};

bool is_gather(const Instruction& instruction) {
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == Intrinsic::masked_gather ||
                  call->getIntrinsicID() == Intrinsic::masked_scatter);
}

bool is_store_of_vector(const Instruction& instruction) {
  if (auto* call = dyn_cast<IntrinsicInst>(&instruction))
    return call->getIntrinsicID() == Intrinsic::masked_store;
  auto* store = dyn_cast<StoreInst>(&instruction);
  return store && store->getValueOperand()->getType()->isVectorTy();
}

bool is_of_vectors(const Instruction& instruction) {
  auto* store = dyn_cast<StoreInst>(&instruction);
  const Type* type = store ? store->getValueOperand()->getType() : instruction.getType();
  return type->isVectorTy() && !isa<PHINode, CastInst>(instruction);
}

void count(Function& function, Operations& all) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const BranchProbabilityInfo probabilities(function, loops);
  const BlockFrequencyInfo frequencies(function, probabilities, loops);
  const auto once = static_cast<double>(frequencies.getEntryFreq().getFrequency());
  for (const BasicBlock& block : function) {
    const double runs = static_cast<double>(frequencies.getBlockFreq(&block).getFrequency()) / once;
    for (const Instruction& instruction : block) {
      if (is_gather(instruction))
        all.gathers += runs;
      else if (is_of_vectors(instruction))
        all.others += runs;
      if (is_store_of_vector(instruction)) all.stores += runs;
    }
  }
}

/// Regions beside forms are for launches that hardly occur.
bool is_spare(const Function* loop, const transforms::RegionKernel& regions) {
  const auto runs_it = [&](const auto& one) { return one.function == loop; };
  return any_of(regions.regions, runs_it) && none_of(regions.forms, runs_it);
}

}  // namespace

bool gathers_much(const KernelCode& kernel) {
  Operations all;
  for (Function* loop : kernel.regions.loops)
    if (!is_spare(loop, kernel.regions)) count(*loop, all);
  return all.gathers * 16 > all.others && all.gathers >= 1.5 * all.stores;
}

}  // namespace gridspan::codegen
