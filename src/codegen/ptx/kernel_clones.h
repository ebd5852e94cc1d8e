// Copies of kernels that take one more parameter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Alignment.h"

namespace gridspan::codegen::ptx {

/// A kernel of that name with the body, launch bounds and parameters of `kernel`, and after these
/// one of type `type`, passed by value and called `parameter`.
llvm::Function& clone_with_parameter(llvm::Function& kernel, const llvm::Twine& name,
                                     llvm::StructType* type, llvm::Align alignment,
                                     const char* parameter);

/// Reads an integer field of a kernel's parameter, which nothing changes.
llvm::LoadInst* read_field(llvm::IRBuilderBase& builder, llvm::Argument& parameter,
                           llvm::Type* within, llvm::ArrayRef<unsigned> path, llvm::Type* field);

}  // namespace gridspan::codegen::ptx
