// Two loops as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (m = 0; m < tiles; ++m)              for (k = 0; k < tiles * 16; ++k)
//       for (k = 0; k < 16; ++k)        ►        sum += a[k] * b[k * n];
//         sum += a[m * 16 + k] * b[(m * 16 + k) * n];
//
// A product over tiles becomes the plain one again, whose rounds are many: only then is it worth
// copying what they read to one place (vectorise/panels.h).
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Where a loop contains nothing but one of a known number of rounds, and all that is computed in
/// there goes on from the last round of the inner loop to the first one of the next.
/// True: the function has changed.
bool flatten_loops(llvm::Function& function);

}  // namespace gridspan::transforms
