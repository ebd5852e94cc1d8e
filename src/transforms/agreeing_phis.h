// Phis that are the same number whichever way a thread came.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (t < 16) { n = zext t; s[n] = 0 } else n' = zext t     if (t < 16) s[zext t] = 0
//     i = phi [n], [n']                                     ►   i = zext t
//
// LLVM's elimination of partial redundancies writes such phis. A phi looks as if it depended on the
// way, so threads' numbers would be kept from segment to segment, and have no shape in vectors.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Returns whether there were any.
bool replace_agreeing_phis(llvm::Function& function);

}  // namespace gridspan::transforms
