// Source places as constants that generated code and descriptors point to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Layout of abi::SourcePoint.
llvm::StructType* source_point_type(llvm::LLVMContext& context);

/// A constant abi::SourcePoint; `file` is null where the line is unknown.
llvm::Constant* source_point_value(llvm::Module& module, const SourceLine& where);

/// Address of such a constant.
llvm::Constant* source_point_address(llvm::Module& module, const SourceLine& where);

/// Address of a zero-terminated string constant, shared between equal strings.
llvm::Constant* string_address(llvm::Module& module, llvm::StringRef text);

}  // namespace gridspan::transforms
