// Rounds counted from zero, subscripts with positions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/plain_places.h"

#include "transforms/function_analyses.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// The array that is accessed, and which of its elements; null: something else.
struct Element {
  Argument* array = nullptr;
  std::uint64_t size = 0;
  Polynomial number;
};

Element element_of(Instruction& access, PlaceAlgebra& algebra, ScalarEvolution& evolution) {
  Value* address = getLoadStorePointerOperand(&access);
  auto* array = dyn_cast<Argument>(getUnderlyingObject(address, 0));
  if (!array || array->hasByValAttr()) return {};
  const std::uint64_t size =
      access.getModule()->getDataLayout().getTypeAllocSize(getLoadStoreType(&access));
  const SCEV* bytes = evolution.getMinusSCEV(evolution.getSCEV(address), evolution.getSCEV(array));
  if (isa<SCEVCouldNotCompute>(bytes)) return {};
  auto number = algebra.element(bytes, size);
  if (!number) return {};
  return {array, size, *number};
}

}  // namespace

/// Thread (0, 0) reads, in each round, an element a known small number of places from where the
/// loop stands. It is less than 2^30 elements from the array's beginning, so that number does not
/// wrap.
static bool is_near_what_is_read(const Polynomial& reached, const StagedTiles& tiles,
                                 const Loop& loop, const DominatorTree& dominators,
                                 PlaceAlgebra& algebra, ScalarEvolution& evolution) {
  constexpr std::uint32_t most = 1u << 20;
  return any_of(tiles.tiles, [&](const StagedTile& tile) {
    if (tile.guarded || !loop.contains(tile.source) ||
        !dominators.dominates(tile.source->getParent(), loop.getLoopLatch()))
      return false;
    Element read = element_of(*tile.source, algebra, evolution);
    if (!read.array || read.size < 2) return false;
    auto apart = (algebra.of_first_thread(read.number) - reached).as_constant();
    return apart && *apart + most <= 2 * most;
  });
}

bool count_from_zero(Loop& loop, const StagedTiles& tiles, const DominatorTree& dominators,
                     PlaceAlgebra& algebra, ScalarEvolution& evolution) {
  BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
  if (!latch || !before || loop.getExitingBlock() != latch) return false;
  auto* end = dyn_cast<BranchInst>(latch->getTerminator());
  auto* test = end && end->isConditional() ? dyn_cast<ICmpInst>(end->getCondition()) : nullptr;
  if (!test || !test->getOperand(0)->getType()->isIntegerTy(32)) return false;
  const bool stays_if = end->getSuccessor(0) == loop.getHeader();
  auto predicate = stays_if ? test->getPredicate() : test->getInversePredicate();
  Value *reached = test->getOperand(0), *limit = test->getOperand(1);
  if (predicate == ICmpInst::ICMP_SGT) {
    std::swap(reached, limit);
    predicate = ICmpInst::ICMP_SLT;
  }
  auto* sum = dyn_cast<AddOperator>(limit);
  if (predicate != ICmpInst::ICMP_SLT || !sum || !sum->hasNoSignedWrap() ||
      !loop.isLoopInvariant(limit))
    return false;
  auto now = algebra.of(evolution.getSCEV(reached));
  if (!now || !algebra.depends_on_block(*now) || algebra.depends_on_thread(*now)) return false;
  auto parts = now->divided(algebra.round(loop));
  auto step = parts ? parts->first.as_constant() : std::nullopt;
  if (!step || *step == 0 || *step > 1u << 20) return false;
  const Polynomial start = parts->second - Polynomial::constant(*step);
  Value* count = nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    auto part = algebra.of(evolution.getSCEV(sum->getOperand(i)));
    if (part && *part == start) count = sum->getOperand(1 - i);
  }
  auto limits = count ? algebra.of(evolution.getSCEV(count)) : std::nullopt;
  if (!limits || algebra.depends_on_block(*limits) || algebra.depends_on_thread(*limits) ||
      !is_near_what_is_read(*now, tiles, loop, dominators, algebra, evolution))
    return false;
  IRBuilder<> builder(loop.getHeader(), loop.getHeader()->begin());
  PHINode* place = builder.CreatePHI(builder.getInt64Ty(), 2, "place");
  builder.SetInsertPoint(end);
  Value* next = builder.CreateAdd(place, builder.getInt64(*step), "", true, true);
  place->addIncoming(builder.getInt64(0), before);
  place->addIncoming(next, latch);
  Value* wide = builder.CreateSExt(count, builder.getInt64Ty());
  end->setCondition(stays_if ? builder.CreateICmpSLT(next, wide)
                             : builder.CreateICmpSGE(next, wide));
  evolution.forgetLoop(&loop);
  return true;
}

namespace {

class PlaceWriter {
 public:
  PlaceWriter(Function& kernel, const std::array<std::uint32_t, 3>& block)
      : kernel_(kernel),
        analyses_(kernel),
        algebra_(kernel, evolution_, block),
        expander_(evolution_, kernel.getParent()->getDataLayout(), "place") {}

  bool run() {
    std::vector<std::pair<Instruction*, const SCEV*>> made;
    for (Instruction& access : instructions(kernel_)) {
      if (!getLoadStorePointerOperand(&access)) continue;
      Element element = element_of(access, algebra_, evolution_);
      if (!element.array || algebra_.depends_on_block(element.number)) return false;
      if (!algebra_.depends_on_thread(element.number)) continue;
      const SCEV* subscript = widened(access, element);
      if (!subscript || !expander_.isSafeToExpandAt(subscript, &access)) return false;
      made.push_back({&access, subscript});
    }
    for (auto [access, subscript] : made) write(*access, subscript);
    return !made.empty();
  }

 private:
  /// The subscript in 64 bits: in each loop it moves on by a step, for it is used in each round.
  const SCEV* widened(const Instruction& access, const Element& element) {
    struct Move {
      const Loop* loop;
      Polynomial step;
    };
    std::vector<Move> moves;  // the innermost loop's first
    Polynomial rest = element.number;
    for (const Loop* loop = loops_.getLoopFor(access.getParent()); loop;
         loop = loop->getParentLoop()) {
      auto parts = rest.divided(algebra_.round(*loop));
      if (!parts || algebra_.depends_on_thread(parts->first)) return nullptr;
      rest = parts->second;
      if (parts->first.terms().empty()) continue;
      if (!loop->getLoopLatch() || !dominators_.dominates(access.getParent(), loop->getLoopLatch()))
        return nullptr;
      moves.push_back({loop, parts->first});
    }
    auto has_rounds = [](const SCEV* part) { return isa<SCEVAddRecExpr>(part); };
    Type* i64 = Type::getInt64Ty(kernel_.getContext());
    const SCEV* whole = evolution_.getSignExtendExpr(algebra_.expression(rest), i64);
    if (SCEVExprContains(whole, has_rounds)) return nullptr;
    std::vector<const SCEV*> steps;
    for (unsigned i = 0; i < moves.size(); ++i) {
      // A loop around one of `rounds` that goes on where that ends: (rounds - 1) steps are less
      // than 2^30, so `rounds` are, too, what they are without wrapping.
      const unsigned rounds = i > 0 ? evolution_.getSmallConstantTripCount(moves[i - 1].loop) : 0;
      const bool goes_on = rounds > 1 && element.size > 1 &&
                           moves[i].step == moves[i - 1].step * Polynomial::constant(rounds);
      const SCEV* step = evolution_.getSignExtendExpr(algebra_.expression(moves[i].step), i64);
      if (goes_on) step = evolution_.getMulExpr(evolution_.getConstant(i64, rounds), steps.back());
      if (SCEVExprContains(step, has_rounds)) return nullptr;
      steps.push_back(step);
    }
    for (unsigned i = moves.size(); i-- > 0;)
      whole = evolution_.getAddRecExpr(whole, steps[i], moves[i].loop, SCEV::FlagAnyWrap);
    return whole;
  }

  void write(Instruction& access, const SCEV* subscript) {
    Value* old = getLoadStorePointerOperand(&access);
    auto* array = cast<Argument>(getUnderlyingObject(old, 0));
    Value* wide = expander_.expandCodeFor(subscript, subscript->getType(), access.getIterator());
    IRBuilder<> builder(&access);
    Value* address = builder.CreateGEP(getLoadStoreType(&access), array, wide);
    access.replaceUsesOfWith(old, address);
  }

  Function& kernel_;
  FunctionAnalyses analyses_;
  DominatorTree& dominators_ = analyses_.dominators;
  LoopInfo& loops_ = analyses_.loops;
  ScalarEvolution& evolution_ = analyses_.evolution;
  PlaceAlgebra algebra_;
  SCEVExpander expander_;
};

}  // namespace

bool write_with_positions(Function& kernel, const std::array<std::uint32_t, 3>& block) {
  return PlaceWriter(kernel, block).run();
}

}  // namespace gridspan::transforms
