// What must hold of a launch for a place in its blocks' code to be reached.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/launch_values.h"

#include "llvm/IR/Dominators.h"

#include <memory>
#include <utility>

namespace gridspan::transforms {

class LaunchConditions {
 public:
  explicit LaunchConditions(LaunchValues& values) : values_(values) {}

  using Conditions = llvm::SmallVector<std::pair<const llvm::Value*, bool>, 4>;
  /// Launch values, and which they must be; of the branches on every way there. Not what depends on
  /// blockDim alone: that is how code for short rows and for long ones is told apart.
  const Conditions& of(const llvm::BasicBlock& block);

 private:
  llvm::DominatorTree& tree_of(const llvm::Function& function);

  LaunchValues& values_;
  llvm::DenseMap<const llvm::Function*, std::unique_ptr<llvm::DominatorTree>> trees_;
  llvm::DenseMap<const llvm::BasicBlock*, Conditions> known_;
};

}  // namespace gridspan::transforms
