// Loops that a block does as one before its warps go on by themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = first; i < n; i += gridDim.x * blockDim.x) sum += a[i];
//     for (d = 16; d > 0; d /= 2) sum += __shfl_down_sync(all, sum, d);
//
// Warp by warp, the loop would read a line or two of each page; the block reads a stretch of it
// (vectorise/wide.h).
#pragma once

#include "transforms/block_function/segments.h"

namespace gridspan::transforms {

/// Where such loops of segments with warp operations end, and other segments had better begin:
/// behind the phis that a loop's results come to. `found`: block-wide segments, as far as cuts
/// demand; of its analyses only cuts are up to date afterwards, if there are any ends.
llvm::SmallPtrSet<llvm::BasicBlock*, 4> end_segments_at_far_rounds(Segments& found);

}  // namespace gridspan::transforms
