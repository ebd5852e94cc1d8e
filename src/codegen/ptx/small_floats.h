// Instructions in place of what our headers do with 16-bit floating-point numbers in integers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     float Half::widen(unsigned short)             ►  fpext
//     unsigned short narrow<Half>(float, nearest)   ►  fptrunc; other roundings stay
//     __half2 __hadd2(__half2, __half2)             ►  fadd <2 x half>
//     __half fused(a, b, c)                         ►  llvm.fma
//     __half lesser(a, b)                           ►  llvm.minnum
//     __half2 atomicAdd(__half2*, __half2)          ►  atom.add.noftz.f16x2
//
// Results are the same: the headers round once, as instructions do. Functions of the headers are
// known by their names (cuda_headers/gridspan/small_float_*.h); before they are inlined.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

/// GPUs before sm_80 have nothing for bfloat16, and before sm_90 no atomic operation.
void use_small_floats(llvm::Module& module, unsigned architecture);

/// Would code for sm_80 and earlier GPUs differ?
bool has_bfloat16(const llvm::Module& module);

}  // namespace gridspan::codegen::ptx
