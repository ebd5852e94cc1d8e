// What must hold for a thread to store anything.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     loops over tiles                             if (row < n && col < n) {
//     if (row < n && col < n) c[...] = sum   ►       loops
//                                                    c[...] = sum
//                                                  }
//
// Threads outside of the data take part in filling tiles. Where nobody fills any, they have nothing
// to do.
#pragma once

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <vector>

namespace gridspan::transforms {

/// Comparisons, and whether they hold.
using Parts = std::vector<std::pair<llvm::Value*, bool>>;

/// Adds those that hold together where `condition` is `holds`; false: not all could be told.
bool take_apart(llvm::Value* condition, bool holds, Parts& parts);

class StoreGuard {
 public:
  /// Stores to arguments, in a kernel that does nothing else others see, and none of whose threads
  /// will wait for another.
  StoreGuard(llvm::Function& kernel, const llvm::DominatorTree& dominators,
             llvm::ScalarEvolution& evolution);

  /// It holds for all threads that store.
  bool implies(llvm::Value* condition, bool holds) const;

  /// Other threads end before they do anything. Control flow has changed.
  void hoist();

 private:
  llvm::Function& kernel_;
  llvm::ScalarEvolution& evolution_;
  Parts parts_;  // arithmetic on what a kernel is given
};

}  // namespace gridspan::transforms
