// Vectors of several registers, where threads take turns in short loops.
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

#include "transforms/vectorise/in_front.h"
#include "transforms/vectorise/vectorise.h"

#include <vector>

namespace gridspan::transforms {

/// Numbers of lanes that are worthwhile, ascending, beside those that there are. `shapes`: of the
/// fastest version.
std::vector<unsigned> wide_lanes(const ThreadBody& body, const llvm::LoopInfo& loops,
                                 const Shapes& shapes, const Vectors& vectors, unsigned lanes);

/// Runs rows of threads that are whole wide vectors, in front of what runs others; a vector that
/// breaks an assumption goes on with narrow ones. Returns the stack variables it made.
std::vector<llvm::AllocaInst*> write_wide_vectors(const ThreadBody& body,
                                                  const llvm::LoopInfo& loops, const Shapes& shapes,
                                                  const NarrowVectors& narrow, unsigned lanes);

}  // namespace gridspan::transforms
