// Steps of warps (transforms/warp_steps) as barriers of the lanes that are there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     s[t] += s[t + 16];       x = s[t] + s[t + 16];
//     s[t] += s[t + 8];    ►   bar.warp.sync %activemask;
//                              s[t] = x;
//                              bar.warp.sync %activemask;
//                              ...
//
// Without them LLVM and ptxas each move plain accesses past one another, as CUDA's rules let them:
// nvcc's code for such programs gives what two optimisers leave. The mask is that of the lanes that
// run this code together: others may be on another way, or at a barrier of the block, and would
// never come. In SASS a step is at most VOTE, R2UR, BRA.DIV and a NOP, and where ptxas knows that
// lanes have not parted the NOP alone. Volatile accesses need none: neither of the two moves them.
#pragma once

#include "transforms/warp_steps/warp_steps.h"

#include "llvm/IR/Module.h"

#include <set>

namespace gridspan::codegen::ptx {

void add_warp_barriers(llvm::Module& module, const std::set<transforms::StepPlace>& places);

}  // namespace gridspan::codegen::ptx
