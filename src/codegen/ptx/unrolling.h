// How often loops of kernels for GPUs are unrolled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (k = 0; k < 128; ++k) s += f(a[k]);    !{"llvm.loop.unroll.count", i32 8}
//
// A warp issues in order: what hides the time from a load or a root to its use, besides other
// warps, is the next iterations' work. LLVM's limit for loops on GPUs allows twice for a loop of 20
// instructions; nvcc takes 4 to 8.
//
//     double2 data[8];
//     for (i = 0; i < 8; ++i) data[i] = ...;     !{"llvm.loop.unroll.full"}
//
// An array of a thread's is in registers if all of its subscripts are constants, and in memory
// else.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
}  // namespace llvm

namespace gridspan::codegen::ptx {

/// Marks loops of a constant length that are to be written out: those that walk through an array of
/// the thread's own, and those that stay small. Comes before arrays become registers for the last
/// time. Loops whose source says how often stay as they are.
struct ChooseFullUnrolling : llvm::PassInfoMixin<ChooseFullUnrolling> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&);
};

/// Marks innermost loops that LLVM would unroll less. Loops whose source says how often, or that
/// have barriers or other convergent operations, stay as they are.
struct ChooseUnrolling : llvm::PassInfoMixin<ChooseUnrolling> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace gridspan::codegen::ptx
