// Hints to unroll loops, in host code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/PassManager.h"

namespace gridspan::host_plugin {

/// `#pragma unroll` and `#pragma clang loop` are not known to g++, the compiler of host code that
/// nvcc uses, and programs put them on loops of any length. Clang would unroll all of it, in
/// several times the time, to ten times the code. Clang's own choice of loops remains.
struct DropUnrollHints : llvm::PassInfoMixin<DropUnrollHints> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

}  // namespace gridspan::host_plugin
