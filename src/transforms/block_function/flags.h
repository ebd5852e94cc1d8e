// Flags that tell on which way a thread came become conditions again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     computed = false;                       computed = t > i && t < 31 - i
//     if (t > i && t < 31 - i) {              if (computed)
//       ...                               =>    ...
//       computed = true;
//     }
//     __syncthreads();                        __syncthreads();
//     if (computed) ...                       if (t > i && t < 31 - i) ...
//
// A flag that lives across a barrier is a column of bytes in the frame, and nobody can tell for
// which threads it holds. A condition is computed again, and bounds the loop over threads.
#pragma once

#include "transforms/sync_cuts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Does so for flags that live across one of `cuts`, where the condition is short and pure.
void express_flags(llvm::Function& kernel, llvm::ArrayRef<Cut> cuts);

}  // namespace gridspan::transforms
