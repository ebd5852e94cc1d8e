// The order of a basic block's instructions before registers are allocated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::codegen {

/// Makes LLVM order the instructions of very long basic blocks by its fast scheduler. LLVM's own
/// choice takes the best of all that are ready, again for each instruction: three quarters of the
/// time it took to compile thrust::sort. The scheduler that works on machine instructions comes
/// after either. Once for the process; cheap to call again.
void order_long_blocks_fast();

}  // namespace gridspan::codegen
