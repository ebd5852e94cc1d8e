// GPUs as LLVM's targets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/ptx/ptx.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <vector>

namespace gridspan::codegen::ptx {

/// PTX in the program's source.
bool has_inline_ptx(const llvm::Module& module);

/// The least version of PTX that can say what the module says, 81 for 8.1; 0 if the usual ones can.
/// PTX that the program brings may be as new as the toolkit. More than 4352 bytes of parameters are
/// for drivers of 2023 (CUDA 12.1) and later.
unsigned least_version(llvm::Module& module);

/// The architectures to write PTX for, ascending: a portable one and the newest, and between them
/// those that brought what the module needs (inline_needs.h). Code that was compiled for a later
/// language level, or that has PTX of its own inside, may need what earlier GPUs lack.
/// Where earlier GPUs have other code, the first is the level itself, which LLVM need not know:
/// GPUs are given the code of the last that is not after them.
std::vector<unsigned> architectures(const PtxOptions& options, const llvm::Module& module);

/// The target for sm_<architecture>, or the newest that LLVM knows.
std::unique_ptr<llvm::TargetMachine> make_gpu(unsigned architecture, unsigned opt_level,
                                              unsigned least_version);

}  // namespace gridspan::codegen::ptx
