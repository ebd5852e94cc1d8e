// Instructions in place of what our headers do with small floating-point numbers in integers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     float Half::widen(unsigned short)             ►  fpext
//     unsigned short narrow<Half>(float, nearest)   ►  fptrunc; other roundings stay
//     __half2 __hadd2(__half2, __half2)             ►  fadd <2 x half>
//     __half fused(a, b, c)                         ►  llvm.fma
//     __half lesser(a, b)                           ►  llvm.minnum
//     __half2 atomicAdd(__half2*, __half2)          ►  atom.add.noftz.f16x2
//     __nv_cvt_float_to_fp8(x, __NV_SATFINITE, ...) ►  cvt.rn.satfinite.e4m3x2.f32
//     __nv_cvt_fp8_to_halfraw(x, ...)               ►  cvt.rn.f16x2.e4m3x2
//
// Results are the same: the headers round once, as instructions do. Functions of the headers are
// known by their names (cuda_headers/gridspan/small_float_*.h, cuda_fp8.h); before they are
// inlined.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

/// GPUs before sm_80 have nothing for bfloat16, and before sm_90 no atomic operation. Numbers of 8
/// bits wait for sm_90, too: PTX for sm_89 would have to be of a later version.
void use_small_floats(llvm::Module& module, unsigned architecture);

/// It has numbers that not all GPUs have instructions for.
bool has_newer_floats(const llvm::Module& module);

}  // namespace gridspan::codegen::ptx
