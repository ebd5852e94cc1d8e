// Instructions for functions of our headers that work on the bytes of words: __dp4a, __dp2a_lo and
// _hi, __byte_perm, __vabsdiffu4, __vsadu4.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For CPUs they are loops over bytes (cuda_headers/gridspan/device_integer.h, device_simd.h), known
// here by their names; before they are inlined.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

void use_word_instructions(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
