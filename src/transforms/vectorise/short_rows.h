// Vectors of a part of a register, where rows of just so many threads may come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (d = 128; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
//
// The last steps of a tree are of 8, 4 and 2 threads. A mask would do, but CPUs are slow to load
// what has just been stored under a mask.
#pragma once

#include "transforms/vectorise/in_front.h"

#include <vector>

namespace gridspan::transforms {

/// Rows of so few threads that they are less than a vector may come: the last steps of a tree, in
/// code for a known shape of blocks, where it is known in the end which rows these are.
bool may_be_short(const ThreadBody& body);

/// Runs rows of just so many threads, less than a vector, without a mask: what has stored under a
/// mask, CPUs are slow to load again. The rest as above.
std::vector<llvm::AllocaInst*> write_short_vector(const ThreadBody& body,
                                                  const llvm::LoopInfo& loops, const Shapes& shapes,
                                                  const NarrowVectors& narrow, unsigned lanes);

}  // namespace gridspan::transforms
