// What is said where the evaluator is not asked, or can't answer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/careful_evaluator.h"

#include "llvm/Analysis/ValueTracking.h"

namespace gridspan::analysis {

using namespace llvm;

/// Of the blocks that must run before it, the last whose domain is known.
Condition Evaluator::rough_domain(const BasicBlock* block) {
  Condition doubt = unknown_condition(*block->getTerminator(), too_complex_condition);
  for (auto* node = dominators_.getNode(block)->getIDom(); node; node = node->getIDom()) {
    const Loop* loop = loop_of(node->getBlock());
    if (loop && !loop->contains(block)) continue;
    if (const Condition* above = find(&Layer::domains, node->getBlock()))
      return {above->holds.intersect(doubt.holds), above->uses};
  }
  return doubt;
}

void Evaluator::recover() {
  layers_.erase(layers_.begin() + 1, layers_.end());
  pending_.clear();
}

bool CarefulEvaluator::allows(const std::function<void()>& work) {
  if (!is_reducible_) return false;
  if (budget_.allows(work)) return true;
  evaluator_.recover();
  return false;
}

Condition CarefulEvaluator::domain(const BasicBlock* block) {
  Condition result;
  bool known = !too_complex_.contains(block) && allows([&] { result = evaluator_.domain(block); });
  if (known) return result;
  too_complex_.insert(block);
  return evaluator_.rough_domain(block);
}

std::vector<CarefulEvaluator::Pointer> CarefulEvaluator::targets(const Value* pointer) {
  std::vector<Target> found;
  if (!is_reducible_) return rough_targets(pointer, "control flow with a jump into a loop");
  if (!allows([&] { found = evaluator_.targets(pointer); }))
    return rough_targets(pointer, "a subscript too complex for the limits of the analysis");
  std::vector<Pointer> result;
  for (Target& target : found) result.push_back({std::move(target), ""});
  return result;
}

/// The arrays that `pointer` may point into, at any offset.
std::vector<CarefulEvaluator::Pointer> CarefulEvaluator::rough_targets(const Value* pointer,
                                                                       const std::string& reason) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, 0);
  std::vector<Pointer> result;
  for (const Value* object : objects) {
    std::vector<Target> found{{{Base::Kind::unknown, 0, 0, object}, {}}};
    if (isa<Argument>(object) || isa<GlobalVariable>(object) || isa<AllocaInst>(object))
      found = evaluator_.targets(object);  // costs next to nothing
    else if (isa<LoadInst>(object) && !allows([&] { found = evaluator_.targets(object); }))
      found[0].base.kind = Base::Kind::loaded;
    for (Target& target : found) result.push_back({std::move(target), reason});
  }
  return result;
}

bool CarefulEvaluator::is_launch_invariant(const Value* value) {
  bool result = false;
  return allows([&] { result = evaluator_.is_launch_invariant(value); }) && result;
}

}  // namespace gridspan::analysis
