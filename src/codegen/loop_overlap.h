// Do the iterations of native loops touch common elements?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::codegen {

/// Whether two iterations of a piece's loops, or two pieces of which one has loops, may have an
/// element in common. Then the boxes of a footprint are not disjoint.
bool loops_may_overlap(const model::Kernel& kernel, const model::AccessSet& set);

}  // namespace gridspan::codegen
