// One function that runs a whole block, barriers and all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/block_function/segments.h"
#include "transforms/regions.h"

namespace gridspan::transforms {

/// The skeleton calls the segments, each a function with a loop over threads (always inlined, once
/// that loop is what it shall be). A barrier leaves nothing behind. Values that are the same for
/// all threads are computed once, in the skeleton, where that is possible; where one is found inside
/// a segment, it comes from there. Consumes `kernel`.
RegionKernel make_block_function(llvm::Function& kernel, Segments& segments);

}  // namespace gridspan::transforms
