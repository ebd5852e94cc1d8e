// What GPUs have inline PTX, and products of fragments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX is assembled as a whole: one kernel with an instruction that a GPU lacks would take all the
// others with it. LLVM looks into no inline PTX, so its text is searched for what came with later
// architectures than the language level says.
#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <set>

namespace gridspan::codegen::ptx {

/// 80 for sm_80; 0 if any GPU will do. Errs on the side of later GPUs.
unsigned least_architecture(const llvm::CallBase& call);

/// Calls barrier objects of the library, which are the GPU's from sm_90 on and words before.
bool uses_barrier_objects(const llvm::Module& module);

/// Of all calls of the module that need any.
std::set<unsigned> least_architectures(const llvm::Module& module);

}  // namespace gridspan::codegen::ptx
