// What LLVM knows of a function's loops and the numbers in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace gridspan::transforms {

/// For a transformation outside of LLVM's pass managers, while control flow stays as it is.
struct FunctionAnalyses {
  explicit FunctionAnalyses(llvm::Function& function)
      : dominators(function),
        loops(dominators),
        assumed(function),
        library_table(llvm::Triple(function.getParent()->getTargetTriple())),
        library(library_table),
        evolution(function, library, assumed, dominators, loops) {}
  FunctionAnalyses(const FunctionAnalyses&) = delete;
  FunctionAnalyses& operator=(const FunctionAnalyses&) = delete;

  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumed;
  llvm::TargetLibraryInfoImpl library_table;
  llvm::TargetLibraryInfo library;
  llvm::ScalarEvolution evolution;
};

}  // namespace gridspan::transforms
