// What one thread alone does is computed for it alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     at = row * n + x + i                         at = row * n + x + i
//     if (x + i == width - 1)               =>     if (x + i == width - 1)
//       edge[y] = in[at + 1]                         edge[y] = in[row * n + width - 1 + 1]
//
// Behind such a guard there is one thread, whose number is known: what depends on it is the same
// for all lanes of a vector, one load and one store instead of gathers under a mask. Halos of tiles
// are loaded so.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Expects tidy loops. Returns whether anything changed.
bool tell_known_threads(llvm::Function& region);

}  // namespace gridspan::transforms
