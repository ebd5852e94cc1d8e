// Sums in which a quotient and its remainder meet again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     i = index % n, j = index / n      a[(i + 1) + j * n]   ►   a[index + 1]
//
// LLVM keeps such sums, since to it they are no simpler. But neighbouring threads touch
// neighbouring elements of `a`: a vector loads them at once, where else it would gather them.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Returns whether there were any. Integers of any width, also widened ones; any number of digits:
/// (index / a / b) * a * b + (index / a % b) * a + index % a.
bool put_indices_together(llvm::Function& function);

}  // namespace gridspan::transforms
