// Goes up the tree of dominators, and from functions to who calls them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/launch_conditions.h"

#include "llvm/ADT/STLExtras.h"

namespace gridspan::transforms {

using namespace llvm;

DominatorTree& LaunchConditions::tree_of(const Function& function) {
  auto& tree = trees_[&function];
  if (!tree) tree = std::make_unique<DominatorTree>(const_cast<Function&>(function));
  return *tree;
}

const LaunchConditions::Conditions& LaunchConditions::of(const BasicBlock& block) {
  if (auto found = known_.find(&block); found != known_.end()) return found->second;
  const Function& function = *block.getParent();
  DominatorTree& tree = tree_of(function);
  Conditions conditions;
  for (auto* node = tree.getNode(&block); node && node->getIDom(); node = node->getIDom()) {
    const BasicBlock* above = node->getIDom()->getBlock();
    auto* branch = dyn_cast<BranchInst>(above->getTerminator());
    if (!branch || branch->isUnconditional()) continue;
    const Value* condition = branch->getCondition();
    if (!values_.is_launch_value(condition) || !values_.depends_on_arguments(condition)) continue;
    for (bool is_true : {true, false}) {
      const BasicBlockEdge way(above, branch->getSuccessor(is_true ? 0 : 1));
      const bool is_only = branch->getSuccessor(0) != branch->getSuccessor(1);
      if (is_only && tree.dominates(way, &block)) conditions.emplace_back(condition, is_true);
    }
  }
  if (&function != values_.functions().front())
    append_range(conditions, of(*cast<Instruction>(*function.user_begin())->getParent()));
  return known_[&block] = conditions;
}

}  // namespace gridspan::transforms
