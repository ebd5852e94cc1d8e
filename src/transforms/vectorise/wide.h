// Vectors of several registers, where threads take turns in short loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = threadIdx.x; i < n; i += blockDim.x) sum += a[i] * x[i]
//
// A vector of eight walks through the whole array before the next one does, each in steps of many
// cache lines, and each round waits for the sum of the round before. Several vectors together read
// whole lines and have a sum each.
#pragma once

#include "transforms/vectorise/widener.h"

namespace gridspan::transforms {

/// The loop over vectors that the wide ones stand in front of.
struct NarrowVectors {
  llvm::BasicBlock* header;
  llvm::PHINode* index;  // in `header`
  unsigned lanes;
};

/// As many lanes as are worthwhile; 0: no more than there are.
unsigned wide_lanes(const ThreadBody& body, const llvm::LoopInfo& loops, const Shapes& shapes,
                    unsigned lanes);

/// Runs rows of threads that are whole wide vectors; a vector that breaks an assumption goes on
/// with narrow ones. Returns the stack variables it made.
std::vector<llvm::AllocaInst*> write_wide_vectors(const ThreadBody& body,
                                                  const llvm::LoopInfo& loops, const Shapes& shapes,
                                                  const NarrowVectors& narrow, unsigned lanes);

}  // namespace gridspan::transforms
