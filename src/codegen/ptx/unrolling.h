// How often inner loops of kernels for GPUs are unrolled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (k = 0; k < 128; ++k) s += f(a[k]);    !{"llvm.loop.unroll.count", i32 8}
//
// A warp issues in order: what hides the time from a load or a root to its use, besides other
// warps, is the next iterations' work. LLVM's limit for loops on GPUs allows twice for a loop of 20
// instructions; nvcc takes 4 to 8.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gridspan::codegen::ptx {

/// Marks innermost loops that LLVM would unroll less. Loops whose source says how often, or that
/// have barriers or other convergent operations, stay as they are.
struct ChooseUnrolling : llvm::PassInfoMixin<ChooseUnrolling> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace gridspan::codegen::ptx
