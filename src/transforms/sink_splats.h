// Numbers that all lanes share are loaded where they are used, if there are more than registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     w0 ... w63 = splat(load s[0]) ... splat(load s[63])        for v:
//     for v: sum += w0 * t[v]; ...                          ►      sum += splat(load s[0]) * t[v];
//     ...
//
// LLVM moves what is the same in all rounds out of a loop over vectors, however much it is: then
// each is loaded, spread over a register, stored to the stack, and loaded from there, though a row
// of threads is but a vector or two. CPUs with AVX-512 spread a number of memory while they
// multiply it.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"

namespace gridspan::transforms {

/// Half of the vector registers hold such numbers. Returns whether anything changed; `memory` does
/// not know of it.
bool sink_splats(llvm::LoopInfo& loops, llvm::MemorySSA& memory, unsigned registers);

}  // namespace gridspan::transforms
