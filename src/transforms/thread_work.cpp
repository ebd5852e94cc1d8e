// Blocks times the rounds of the loops around them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/thread_work.h"

#include "transforms/function_analyses.h"
#include "transforms/half_conversions.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr std::uint64_t of_a_call = 64, of_an_intrinsic = 8;
constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();

/// 0: it is not known.
std::uint64_t rounds_around(const BasicBlock& block, FunctionAnalyses& analyses) {
  std::uint64_t rounds = 1;
  for (const Loop* loop = analyses.loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
    rounds = std::min(most, rounds * analyses.evolution.getSmallConstantMaxTripCount(loop));
  return rounds;
}

/// None: it is not known.
std::optional<std::uint64_t> weight_of(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) return 1;
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(call)) {
    if (intrinsic->isAssumeLikeIntrinsic()) return 0;
    return intrinsic->doesNotAccessMemory() ? of_an_intrinsic : of_a_call;
  }
  const Function* callee = call->getCalledFunction();
  if (!callee || !callee->isDeclaration()) return std::nullopt;
  if (is_half_conversion(*call)) return of_an_intrinsic;
  return of_a_call;
}

}  // namespace

std::uint32_t most_instructions(Function& kernel) {
  FunctionAnalyses analyses(kernel);
  std::uint64_t sum = 0;
  for (const BasicBlock& block : kernel) {
    const std::uint64_t rounds = rounds_around(block, analyses);
    if (rounds == 0) return 0;
    for (const Instruction& instruction : block) {
      const std::optional<std::uint64_t> weight = weight_of(instruction);
      if (!weight) return 0;
      sum = std::min(most, sum + *weight * rounds);
    }
  }
  return sum == most ? 0 : static_cast<std::uint32_t>(sum);
}

}  // namespace gridspan::transforms
