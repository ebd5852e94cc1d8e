// Vectors of other lengths: of several registers, or of a part of one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = threadIdx.x; i < n; i += blockDim.x) sum += a[i] * x[i]
//
// A vector of eight walks through the whole array before the next one does, each in steps of many
// cache lines, and each round waits for the sum of the round before. Several vectors together read
// whole lines and have a sum each.
//
//     for (i = first; i < n; i += gridDim.x * blockDim.x) sum += a[i]
//
// Where each round is in another page, rows of threads are as wide as registers hold sums: what a
// round reads, up to a KiB, is long enough to be a stream for the CPU's prefetchers.
#pragma once

#include "transforms/vectorise/vectorise.h"
#include "transforms/vectorise/widener.h"

#include <vector>

namespace gridspan::transforms {

/// The loop over vectors that the wide ones stand in front of.
struct NarrowVectors {
  llvm::BasicBlock* header;
  llvm::PHINode* index;  // in `header`
  unsigned lanes;
};

/// Numbers of lanes that are worthwhile, ascending, beside those that there are. `shapes`: of the
/// fastest version.
std::vector<unsigned> wide_lanes(const ThreadBody& body, const llvm::LoopInfo& loops,
                                 const Shapes& shapes, const Vectors& vectors, unsigned lanes);

/// Runs rows of threads that are whole wide vectors, in front of what runs others; a vector that
/// breaks an assumption goes on with narrow ones. Returns the stack variables it made.
std::vector<llvm::AllocaInst*> write_wide_vectors(const ThreadBody& body,
                                                  const llvm::LoopInfo& loops, const Shapes& shapes,
                                                  const NarrowVectors& narrow, unsigned lanes);

/// Rows of so few threads that they are less than a vector may come: the last steps of a tree, in
/// code for a known shape of blocks, where it is known in the end which rows these are.
bool may_be_short(const ThreadBody& body);

/// Runs rows of just so many threads, less than a vector, without a mask: what has stored under a
/// mask, CPUs are slow to load again. The rest as above.
std::vector<llvm::AllocaInst*> write_short_vector(const ThreadBody& body,
                                                  const llvm::LoopInfo& loops, const Shapes& shapes,
                                                  const NarrowVectors& narrow, unsigned lanes);

}  // namespace gridspan::transforms
