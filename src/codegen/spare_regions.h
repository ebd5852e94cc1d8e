// Regions that are not compiled for every instruction set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a kernel has code for blocks of whole warps, its regions are for blocks of unusual shape.
// Yet they are several times the code of all the rest, since each of them keeps and fetches what
// lives across a warp operation. So they are compiled for x86-64-v3, and x86-64-v4 uses the same,
// as with the code for interpret mode, which need not be fast. The same holds for more than 32
// regions of a kernel with volatile loads that need no fibers, which it would run on otherwise. On
// the baseline, where there are as many, such blocks run on fibers; so do all kernels of a large
// module there.
#pragma once

#include "codegen/variants.h"

namespace gridspan::codegen {

/// Of what make_variants made: the first is the baseline, others follow. What is left out stays in
/// the module until what nobody uses is removed. `is_large`: the module.
void leave_out_spare_regions(std::vector<VariantCode>& variants, bool is_large);

}  // namespace gridspan::codegen
