// The order of a basic block's instructions before registers are allocated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::codegen {

/// Makes LLVM order the instructions of very long basic blocks by its fast scheduler. LLVM's own
/// choice takes the best of all that are ready, again for each instruction: three quarters of the
/// time it took to compile thrust::sort. The scheduler that works on machine instructions comes
/// after either. Not so for PTX, which keeps LLVM's own choice. To be called before any code is
/// generated, PTX or not: LLVM decides then, once for the process. Cheap to call again.
void order_long_blocks_fast();

}  // namespace gridspan::codegen
