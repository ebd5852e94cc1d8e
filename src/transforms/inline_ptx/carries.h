// Carries that pass from one inline PTX statement to another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     __device__ unsigned add_cc(unsigned a, unsigned b) { asm volatile("add.cc.u32 …"); … }
//     __device__ unsigned addc(unsigned a, unsigned b) { asm volatile("addc.u32 …"); … }
//
// PTX has one carry flag for each thread and promises nothing about it across calls; the functions
// above rely on being inlined. They are, here: afterwards a carry is born and read in one function.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::transforms::ptx {

void inline_open_carries(llvm::Module& module);

}  // namespace gridspan::transforms::ptx
