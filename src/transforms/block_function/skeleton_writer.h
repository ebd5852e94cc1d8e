// Writes the functions of a block function's skeletons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/block_function/block_votes.h"
#include "transforms/block_function/skeleton_values.h"
#include "transforms/block_function/warp_exchange.h"
#include "transforms/context.h"
#include "transforms/frame.h"
#include "transforms/region_debug_info.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace gridspan::transforms {

/// A segment's function, and what the skeleton brings to a call of it.
struct SegmentCode {
  llvm::Function* function = nullptr;            // null: nothing is left to do in it
  llvm::Function* all_there = nullptr;           // the same where no thread has left; null: none
  llvm::SmallVector<llvm::Value*> wants;         // values of skeletons, by their originals
  llvm::SmallVector<llvm::Instruction*> finds;   // values it stores for skeletons
  llvm::SmallVector<llvm::AllocaInst*> columns;  // of variables that belong to the warp alone
  const WarpExchange* exchange = nullptr;        // between it and the next
  const BlockVote* vote = nullptr;               // likewise
};

/// One skeleton: its segments in order, with their codes.
struct Skeleton {
  llvm::ArrayRef<Segment> segments;
  llvm::ArrayRef<SegmentCode> codes;
  const SkeletonValues* values;
  const FrameLayout* frame;
  const RegionDebugInfo* debug;  // of the kernel
  llvm::AllocaInst* there;       // of threads: EarlyReturns::there
};

/// `void name(BlockContext*, i32, i32 threads)`.
llvm::Function* write_block_skeleton(llvm::Function& kernel, const Skeleton& skeleton,
                                     const llvm::Twine& name);

/// `void name(BlockContext*, i32, i32 threads, wants...)`: one warp after the other. What
/// lives between its segments only, a column of 32, is on the stack: registers, in the end, where
/// the segments' loops over four vectors or two are unrolled.
SegmentCode write_warp_skeleton(llvm::Function& kernel, const Segment& whole,
                                const Skeleton& skeleton, const SkeletonValues& outer,
                                const llvm::Twine& name);

}  // namespace gridspan::transforms
