// When a file's kernels and variables are registered.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/PassManager.h"

namespace gridspan::host_plugin {

/// Clang's function that registers them comes after the constructors of the file's own objects,
/// which with nvcc may launch kernels. It is made to come first.
struct RegisterEarly : llvm::PassInfoMixin<RegisterEarly> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace gridspan::host_plugin
