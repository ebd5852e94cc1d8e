// Subscripts of 32 bits that cannot wrap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `a[row * n + t * 32 + threadIdx.x]` is computed in 32 bits without sign, for threadIdx has none,
// and might wrap from one round of a loop to the next: nobody may take it for an address that moves
// on by a fixed step. But each round reads the array there. Of two places less than 2^31 elements
// apart, the second is the first plus the step, in whatever width; so it is in arrays of less than
// 2 GiB, which the run time knows (abi::LaunchContext::small_arguments).
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// In loops, of accesses in each round, through pointer parameters of a kernel. True: some have
/// been widened, and the code is for small arrays only.
bool widen_subscripts(llvm::Function& kernel);

}  // namespace gridspan::transforms
