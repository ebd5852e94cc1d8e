// Functions whose inline PTX reaches beyond them: into the caller's carry, or to the thread's end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     __device__ unsigned add_cc(unsigned a, unsigned b) { asm volatile("add.cc.u32 …"); … }
//     __device__ unsigned addc(unsigned a, unsigned b) { asm volatile("addc.u32 …"); … }
//
// PTX has one carry flag for each thread and promises nothing about it across calls; the functions
// above rely on being inlined. They are, here: afterwards a carry is born and read in one function.
// So are functions that end the thread by `exit`, which is a kernel's return.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::transforms::ptx {

void inline_open_functions(llvm::Module& module);

}  // namespace gridspan::transforms::ptx
