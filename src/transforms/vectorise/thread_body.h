// The code of one thread inside a region's loop over threads, made ready to be widened.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     header:  i = phi [0, preheader], [i + 1, last]
//     first:   br (i < count), ..., last                order: first ... last
//              ...
//     last:    br (i + 1 < count), header, exit
//
// `first` is a guard that all threads pass; the lanes of a vector that reaches beyond the last one
// do not.
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <string>
#include <variant>
#include <vector>

namespace gridspan::transforms {

/// Why a region stays a loop over single threads.
struct ScalarReason {
  SourceLine where;
  std::string text;
};

/// How rows of threads go together.
struct RowChoice {
  unsigned most = 0;   // 1: each alone; 0: as many as the cost model chooses, where it pays
  bool panels = true;  // what all of them load may be copied to one place
};

/// What the target's vectors can do, and what is made of it.
struct Vectors {
  unsigned bits;
  bool gather, scatter;     // in one instruction
  unsigned registers = 16;  // for vectors
  RowChoice rows = {};
  bool wide = true;  // several registers (wide.h)
};

/// An array of each thread's own, in memory (own_arrays.h).
struct OwnArray {
  llvm::AllocaInst* memory;
  std::int64_t stride;  // bytes from one lane's element to the next lane's
};

struct ThreadBody {
  llvm::Function* function;
  llvm::Loop* loop;
  llvm::BasicBlock *preheader, *header, *first, *last, *exit;
  llvm::BranchInst* guard;  // the end of `first`
  llvm::PHINode* index;     // counts threads from 0, uniform stride 1
  llvm::Value* count;       // how many, > 0
  /// All blocks but the header, in topological order; a loop's blocks are neighbours.
  std::vector<llvm::BasicBlock*> order;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> position;  // in `order`
  /// Of loops whose rounds, but the last ones, go elsewhere (rounds.h).
  llvm::DenseSet<const llvm::BasicBlock*> rests;
  /// Those that lanes can have side by side.
  std::vector<OwnArray> own_arrays;
};

/// Finds the loop over threads, brings the loops inside it into simple, closed form (LCSSA) and
/// orders the blocks. `loops` and `dominators` are kept up to date.
std::variant<ThreadBody, ScalarReason> find_thread_body(llvm::Function& region,
                                                        llvm::DominatorTree& dominators,
                                                        llvm::LoopInfo& loops);

/// Fills in `order` and `position` after a change; loops are brought into the same form again.
void order_blocks(ThreadBody& body, llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

}  // namespace gridspan::transforms
