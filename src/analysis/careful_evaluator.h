// The evaluator within a budget: what it can't afford to understand, it says so of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/budget.h"
#include "analysis/evaluator.h"

namespace gridspan::analysis {

class CarefulEvaluator {
 public:
  CarefulEvaluator(Evaluator& evaluator, Budget& budget)
      : evaluator_(evaluator), budget_(budget), is_reducible_(evaluator.is_reducible()) {}

  struct Pointer {
    Target target;
    std::string reason;  // why the offset is not known; empty if it is
  };
  std::vector<Pointer> targets(const llvm::Value* pointer);
  /// When `block` runs; that and more if it can't be told.
  Condition domain(const llvm::BasicBlock* block);
  bool is_launch_invariant(const llvm::Value* value);

 private:
  std::vector<Pointer> rough_targets(const llvm::Value* pointer, const std::string& reason);
  bool allows(const std::function<void()>& work);

  Evaluator& evaluator_;
  Budget& budget_;
  bool is_reducible_;
  std::set<const llvm::BasicBlock*> too_complex_;
};

}  // namespace gridspan::analysis
