// Looks through the blocks before the first side effect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/assumptions.h"

#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// The way from `block` to `meeting` does nothing worth having a version for.
bool is_short_way(const BasicBlock* block, const BasicBlock* meeting) {
  for (unsigned steps = 0; block != meeting; ++steps) {
    if (steps > 2 || !block->getSingleSuccessor()) return false;
    for (const Instruction& instruction : *block)
      if (instruction.mayReadOrWriteMemory()) return false;
    block = block->getSingleSuccessor();
  }
  return true;
}

/// The successor most vectors take with all lanes, if `block` ends with a guard.
std::optional<unsigned> guarded_way(const BasicBlock& block,
                                    const PostDominatorTree& post_dominators) {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional()) return std::nullopt;
  const BasicBlock* meeting = post_dominators.getNode(&block)->getIDom()->getBlock();
  bool short_0 = is_short_way(branch->getSuccessor(0), meeting);
  bool short_1 = is_short_way(branch->getSuccessor(1), meeting);
  if (short_0 == short_1) return std::nullopt;
  return short_0 ? 1 : 0;
}

bool changes_something(const Instruction& instruction) {
  if (isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(instruction)) return false;
  return instruction.mayHaveSideEffects() || instruction.isVolatile();
}

/// All lanes of a vector together reach less far than half of what a narrow number can tell.
bool is_short_reach(Shape shape, const Type& type) {
  constexpr std::int64_t most_lanes = 64;
  APInt reach = APInt(128, static_cast<std::uint64_t>(shape.stride), true) * most_lanes;
  return reach.isSignedIntN(type.getIntegerBitWidth());
}

void assume_exact(const CastInst& cast, const Shapes& general, Assumptions& found) {
  if (!isa<SExtInst, ZExtInst>(cast) || !general.of(&cast).is_varying()) return;
  Shape from = general.of(cast.getOperand(0));
  const Type& type = *cast.getOperand(0)->getType();
  if (from.kind == Shape::strided && type.getIntegerBitWidth() <= 64 && is_short_reach(from, type))
    found.exact.insert(&cast);
}

}  // namespace

Assumptions find_assumptions(const ThreadBody& body, const LoopInfo& loops,
                             const PostDominatorTree& post_dominators, const Shapes& general) {
  Assumptions found;
  for (BasicBlock* block : body.order) {
    if (loops.getLoopFor(block) != body.loop) break;
    for (Instruction& instruction : *block) {
      if (changes_something(instruction)) return found;
      if (auto* cast = dyn_cast<CastInst>(&instruction)) assume_exact(*cast, general, found);
    }
    if (!general.is_divergent(*block)) continue;
    if (auto way = guarded_way(*block, post_dominators))
      found.taken[cast<BranchInst>(block->getTerminator())] = *way;
  }
  return found;
}

}  // namespace gridspan::transforms
