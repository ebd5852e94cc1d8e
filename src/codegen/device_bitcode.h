// Reading what clang made of device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace gridspan::codegen {

/// Null if it cannot be read, and `problem` says why. threadIdx and its like are still variables
/// (transforms/builtin_variables.h), of which LLVM's verifier does not approve.
std::unique_ptr<llvm::Module> read_device_bitcode(llvm::MemoryBufferRef bitcode,
                                                  llvm::SMDiagnostic& problem,
                                                  llvm::LLVMContext& context);

/// Makes those variables, and what else only clang writes, into what every other transformation
/// knows. Comes first of all.
void settle_language(llvm::Module& module, transforms::UserErrors& errors);

}  // namespace gridspan::codegen
