// Cuts a kernel whose threads meet all barriers together into segments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all threads of a block do together (loops and branches around barriers) stays as it is, the
// *skeleton*. Between two of its points lies a segment, code without barriers that each thread runs
// by itself:
//
//     for (d = n / 2; d > 0; d /= 2) {            loop of the skeleton
//       if (t < d) s[t] += s[t + d];              segment
//       __syncthreads();                          point between segments
//     }
//
// A branch belongs to the skeleton if a barrier lies on some way from it to where its ways meet
// again. Blocks that every thread comes through (those not strictly inside other branches) are
// *common*; a segment is a chain of common blocks with everything that hangs between them.
//
// Warp operations are to a warp what barriers are to the block. A segment with such operations runs
// warp by warp, and has itself a skeleton, what all threads of a warp do together.
#pragma once

#include "transforms/block_function/early_returns.h"
#include "transforms/block_function/uniform_values.h"
#include "transforms/sync_cuts.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"

#include <memory>
#include <variant>
#include <vector>

namespace gridspan::transforms {

struct Segment {
  llvm::SetVector<llvm::BasicBlock*> blocks;  // its first block first
  std::vector<llvm::BasicBlock*> common;      // in order; the last decides what follows
  llvm::BasicBlock* next =
      nullptr;               // first block of the following one; null: the last's terminator
  const Cut* cut = nullptr;  // that it ends at
  llvm::Instruction* presence = nullptr;  // for threads that this (i1) is true of; null: for all
  std::vector<Segment> warp;  // if it runs warp by warp: its own segments, the first begins it

  /// The last block's terminator is the skeleton's: nothing of the segment hangs behind it.
  bool ends_with_last() const { return !next || last().getSingleSuccessor() == next; }
  /// Its warps' skeleton decides behind the part: the others are decided on by the block's.
  bool decides_behind(const Segment& part) const {
    return part.condition() && (next || &part.last() != &last());
  }
  /// What decides which segment follows; null: that is no question.
  llvm::Value* condition() const {
    const llvm::Instruction* end = last().getTerminator();
    return next || end->getNumSuccessors() < 2 ? nullptr : end->getOperand(0);
  }
  llvm::BasicBlock& first() const { return *common.front(); }
  llvm::BasicBlock& last() const { return *common.back(); }
};

struct Segments {
  llvm::DominatorTree dominators;
  llvm::PostDominatorTree post_dominators;
  llvm::LoopInfo loops;
  std::vector<Cut> cuts;
  EarlyReturns returns;
  std::unique_ptr<UniformValues> in_block, in_warp;
  std::vector<Segment> all;  // the first begins the kernel
  bool has_warps() const {
    return llvm::any_of(all, [](const Segment& segment) { return !segment.warp.empty(); });
  }
};

/// Or why not all threads of a block meet its barriers together.
using FoundSegments = std::variant<Reason, std::unique_ptr<Segments>>;

/// Brings the kernel into a form with one way out, a block of its own on each edge of the
/// skeleton's branches, and copies of what several segments share (which changes nothing for
/// others), and finds the segments.
FoundSegments find_segments(llvm::Function& kernel, std::vector<Cut> cuts);

}  // namespace gridspan::transforms
