// Finds the segments of one skeleton.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/block_function/segments.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>

namespace gridspan::transforms {

/// Blocks on ways from `branch` to where its ways meet again.
llvm::SetVector<llvm::BasicBlock*> blocks_between(llvm::BasicBlock& branch,
                                                  const llvm::PostDominatorTree& post_dominators);

class SegmentFinder {
 public:
  /// In `scope`, whose first block begins it, cut at `cuts`.
  SegmentFinder(const Segments& kernel, const llvm::SetVector<llvm::BasicBlock*>& scope,
                std::vector<const Cut*> cuts, const UniformValues& uniform)
      : kernel_(kernel), scope_(scope), uniform_(uniform) {
    for (const Cut* cut : cuts) cut_after_[cut->before] = cut;
  }

  /// Segments also begin at those of `more` that all threads come through.
  std::optional<Reason> find(std::vector<Segment>& found,
                             const llvm::SmallPtrSet<llvm::BasicBlock*, 4>& more = {});

 private:
  void find_skeleton();
  void find_common();
  llvm::BasicBlock* follow(llvm::BasicBlock& common, llvm::SetVector<llvm::BasicBlock*>& hanging);
  std::optional<Reason> link();
  Segment make_segment(llvm::BasicBlock& first);

  const Segments& kernel_;
  const llvm::SetVector<llvm::BasicBlock*>& scope_;
  const UniformValues& uniform_;
  llvm::DenseMap<llvm::BasicBlock*, const Cut*> cut_after_;  // of blocks that end at a cut
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> skeleton_;        // blocks that end with a branch of it
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> hanging_;         // not common
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> next_;  // common block → next common one
  llvm::DenseMap<llvm::BasicBlock*, llvm::SetVector<llvm::BasicBlock*>> after_;  // → what hangs
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> first_;                               // begin segments
};

}  // namespace gridspan::transforms
