// Which lines of host code stay known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/PassManager.h"

namespace gridspan::host_plugin {

/// Messages of checks say where the program allocated memory and how it got there. Of all lines
/// that needs those of calls that may lead to an allocation, and the functions that these are in;
/// the others are forgotten. Most objects are a third smaller for it.
struct KeepCallLines : llvm::PassInfoMixin<KeepCallLines> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace gridspan::host_plugin
