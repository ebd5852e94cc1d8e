// Gives meaning to operations that LLVM leaves undefined and GPU hardware defines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   x << n, n >= width      0 (shifts clamp in PTX); >> of a signed value gives its sign
//   x / 0                   all ones (what NVIDIA's sequence yields), x % 0 = x; never a trap
//   INT_MIN / -1            INT_MIN, remainder 0; never a trap
//   (int)f out of range     the nearest int; NaN gives 0, or the top bit alone for double and 64
//   bits
//   types aligned to more than 16 bytes      their accesses need 16; CUB keeps such types in
//   storage that is aligned to no more
//
// Runs on clang's untouched IR, before any pass could exploit the undefined cases. Programs rely on
// these (Rodinia's huffman shifts by 32), and x86 would trap or wrap.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

void define_hardware_semantics(llvm::Module& module);

}  // namespace gridspan::transforms
