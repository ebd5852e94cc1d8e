// Numbers of blocks that may have to stay together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/instances.h"

namespace gridspan::model {

/// Granularities worth a try along `axis`, ascending: constants that the block index is divided by
/// in some write, as in A[b / 2].
std::vector<unsigned> granularity_candidates(const Kernel& kernel, Instances& instances,
                                             unsigned axis);

}  // namespace gridspan::model
