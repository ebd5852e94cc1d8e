// What holds of every part of every launch, for simplifying footprints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::codegen {

/// Facts over launch and part parameters, as far as `image` speaks of them: Kernel::context, the
/// assumptions `assumed` (indices; a set is not used where they fail), 0 <= first <= last <
/// gridDim, and for product dimensions of blocks and of the counters of `loops` what relates them
/// to their base.
isl::set part_facts(const model::Kernel& kernel, const std::vector<unsigned>& assumed,
                    const std::vector<model::NativeLoop>& loops, const isl::set& image);

}  // namespace gridspan::codegen
