// Code for some rows of threads, in front of the loop over vectors that runs the others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/vectorise/widener.h"

#include <vector>

namespace gridspan::transforms {

/// The loop over vectors that other code stands in front of.
struct NarrowVectors {
  llvm::BasicBlock* header;
  llvm::PHINode* index;  // in `header`
  unsigned lanes;
};

/// Made in this order: enter, `begin` and `latch` filled, write.
class InFront {
 public:
  InFront(const ThreadBody& body, const NarrowVectors& narrow, const llvm::Twine& name);

  /// For rows of which `is_row` of their length is true.
  void enter(llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&)> is_row);

  /// The code for vectors from `index` on; one that breaks an assumption goes on with narrow ones.
  /// Returns the stack variables that it made.
  std::vector<llvm::AllocaInst*> write(const llvm::LoopInfo& loops, const Shapes& shapes,
                                       unsigned lanes, llvm::Value* index,
                                       bool reads_all_lines = false);

  llvm::BasicBlock* before() const { return before_; }
  llvm::BasicBlock *begin, *latch;  // empty at first

 private:
  llvm::BasicBlock* block(const llvm::Twine& name);

  const ThreadBody& body_;
  const NarrowVectors& narrow_;
  llvm::BasicBlock *before_, *broken_, *others_;
};

}  // namespace gridspan::transforms
