// Loads that need not wait for atomic operations in shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     atomicAdd(&s[0], a[i])             x = a[i]; y = a[i + n]
//     atomicAdd(&s[1], a[i + n])    ►    atomicAdd(&s[0], x)
//                                        atomicAdd(&s[1], y)
//
// GPUs have no instruction that adds floats in shared memory: ptxas makes it a loop that tries
// until it succeeds, and moves no load over that. So each load would wait for the one before. What
// a kernel's argument points to is never shared memory, and relaxed atomic operations order nothing
// else. Within a block of instructions; unrolled loops are one.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

void load_early(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
