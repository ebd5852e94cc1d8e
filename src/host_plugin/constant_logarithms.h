// Logarithms of constants in host code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/PassManager.h"

namespace gridspan::host_plugin {

/// Calls of logl with a positive constant become what they return. LLVM folds log of double, and no
/// function of long double; but libstdc++'s uniform_real_distribution calls logl twice for each
/// number, with constants, and takes eight times g++'s time if they stay.
struct FoldConstantLogarithms : llvm::PassInfoMixin<FoldConstantLogarithms> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace gridspan::host_plugin
