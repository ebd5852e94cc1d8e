// Looks for the comparison that every way to the extension has passed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/upper_bounds.h"

#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

class BoundSearch {
 public:
  BoundSearch(const ThreadBody& body, const DominatorTree& dominators)
      : body_(body), dominators_(dominators) {}

  /// Known of `number` where `block` begins.
  std::optional<UpperBound> at(const Value* number, const BasicBlock* block, unsigned depth) const {
    while (block != body_.first && body_.loop->contains(block)) {
      auto* phi = dyn_cast<PHINode>(number);
      if (phi && phi->getParent() == block) return of_phi(*phi, depth);
      if (const BasicBlock* before = block->getSinglePredecessor())
        if (auto bound = on_edge(number, *before, *block)) return bound;
      block = dominators_.getNode(block)->getIDom()->getBlock();
    }
    return std::nullopt;
  }

 private:
  /// The loop goes round, or begins, only with numbers below the bound.
  std::optional<UpperBound> of_phi(const PHINode& phi, unsigned depth) const {
    constexpr unsigned deepest = 3;
    std::optional<UpperBound> all;
    if (depth == deepest) return all;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const Value* number = phi.getIncomingValue(i);
      const BasicBlock* from = phi.getIncomingBlock(i);
      auto bound = on_edge(number, *from, *phi.getParent());
      if (!bound) bound = at(number, from, depth + 1);
      if (!bound || (all && !(*all == *bound))) return std::nullopt;
      all = bound;
    }
    return all;
  }

  std::optional<UpperBound> on_edge(const Value* number, const BasicBlock& from,
                                    const BasicBlock& to) const {
    auto* branch = dyn_cast<BranchInst>(from.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return std::nullopt;
    return where(branch->getCondition(), branch->getSuccessor(0) == &to, number);
  }

  std::optional<UpperBound> where(const Value* condition, bool holds, const Value* number) const {
    const Value *first, *second;
    if (holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
              : match(condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
      auto bound = where(first, holds, number);
      return bound ? bound : where(second, holds, number);
    }
    auto* comparison = dyn_cast<ICmpInst>(condition);
    if (!comparison) return std::nullopt;
    bool is_left = comparison->getOperand(0) == number;
    Value* limit = comparison->getOperand(is_left ? 1 : 0);
    auto predicate = is_left ? comparison->getPredicate() : comparison->getSwappedPredicate();
    if (!holds) predicate = CmpInst::getInversePredicate(predicate);
    bool is_below = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
    if (!is_below || comparison->getOperand(is_left ? 0 : 1) != number ||
        !body_.loop->isLoopInvariant(limit))
      return std::nullopt;
    return UpperBound{limit, CmpInst::isSigned(predicate)};
  }

  const ThreadBody& body_;
  const DominatorTree& dominators_;
};

}  // namespace

std::optional<UpperBound> find_upper_bound(const CastInst& cast, const ThreadBody& body,
                                           const DominatorTree& dominators) {
  auto bound = BoundSearch(body, dominators).at(cast.getOperand(0), cast.getParent(), 0);
  // A number that is not negative need not be compared as one.
  bool fits = bound && (isa<SExtInst>(cast) || !bound->is_signed || cast.hasNonNeg());
  return fits ? bound : std::nullopt;
}

APInt highest_limit(const CastInst& cast, const UpperBound& bound, std::uint64_t reach) {
  unsigned bits = cast.getSrcTy()->getIntegerBitWidth();
  bool is_signed = bound.is_signed || isa<SExtInst>(cast);
  APInt end = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  return end - APInt(bits, reach);
}

}  // namespace gridspan::transforms
