// From clang's module to one that a GPU's library can be linked into.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/ptx/ptx.h"
#include "transforms/kernels.h"

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

/// Address spaces of nvptx64.
inline constexpr unsigned global_space = 1, shared_space = 3, constant_space = 4;

/// What the source says about how to compile it becomes what PTX needs: kernels and variables that
/// the host may name are visible, under their names in the source; everything else is internal.
/// Math that LLVM has intrinsics for and GPUs lack becomes calls of the C library's functions.
void prepare(llvm::Module& module, const PtxOptions& options);

/// Writes down that the function is a kernel, and what it declares.
void annotate_kernel(const transforms::KernelDeclaration& kernel, const PtxOptions& options);

/// Whether a kernel may use variables that the host, or another module, reaches by their names.
bool uses_variables(llvm::Function& kernel);

/// Links what the module calls from the library for GPUs, and before that from libdevice, if the
/// user names a file. Returns what went wrong, if anything.
std::optional<std::string> link_library(llvm::Module& module, const std::string& libdevice);

}  // namespace gridspan::codegen::ptx
