// Asks for what the next round of a loop around barriers, or the next block, will load.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/block_function/segments.h"

namespace gridspan::transforms {

/// A tile's rows lie far apart (`b[(m * 16 + threadIdx.y) * n + x]`): each is a new page to the
/// CPU, whose own prefetchers see no pattern in it. Loads whose address moves from round to round
/// by a uniform number of bytes that is large, or not known, get a prefetch of where they will be
/// next; so do those of several rows, since the CPU follows few rows at a time. A prefetch changes
/// nothing and never faults.
void prefetch_next_rounds(const Segments& segments);

/// The same for what a block itself loads: the next block along x, which comes next, loads beside
/// it. Of a tile (several rows) all loads, of a piece of one row those outside loops, whose later
/// rounds the CPU follows.
void prefetch_next_blocks(const Segments& segments);

/// For code that stays a loop over single threads: LLVM's vectoriser refuses loops with prefetches.
void drop_prefetches(llvm::Function& function);

}  // namespace gridspan::transforms
