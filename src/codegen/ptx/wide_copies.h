// Copies of small structs by vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     struct alignas(16) Pixel { unsigned r, g, b, a; };
//     out[i] = in[i];                  ld.global.v4.u32, st.global.v4.u32
//
// LLVM would take 8 bytes at a time, whatever the alignment; and one where a thread's own array is
// aligned to one, as those of char are: their alignment is raised.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

/// Of copies between places aligned to 16 bytes or more, of up to 128 bytes. Comes when structs
/// that can be in registers are: such copies are no obstacle to that, vectors may be.
void copy_by_vectors(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
