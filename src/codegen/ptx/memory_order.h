// The order of memory operations around atomic ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     load atomic acquire    ►  load atomic monotonic, fence.acq_rel
//     store atomic release   ►  fence.acq_rel, store atomic monotonic
//     atomicrmw seq_cst      ►  fence.sc, atomicrmw monotonic, fence.acq_rel
//     fence acq_rel          ►  fence.acq_rel
//
// as in "A Formal Analysis of the NVIDIA PTX Memory Consistency Model" (Lustig et al., ASPLOS
// 2019). LLVM 19's NVPTX back end leaves the order of atomicrmw and cmpxchg out, and has no
// instruction for other loads and stores than monotonic ones.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

void order_memory(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
