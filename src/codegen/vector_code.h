// Threads as lanes of vectors, where the target has what it takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/kernel_code.h"
#include "transforms/vectorise/thread_body.h"

#include "llvm/Target/TargetMachine.h"

namespace gridspan::codegen {

struct VectorChoice {
  unsigned bits = 0;  // at most; 0: all there are
  transforms::RowChoice rows;
  bool wide = true;
  bool math = true;  // vectors may call SLEEF's functions
};

/// SLEEF's functions for vectors can be called; there are none for two doubles.
bool has_vector_math(const llvm::TargetMachine& target, const llvm::Function& function);

/// There are instructions for estimates of reciprocal roots (transforms/reciprocal_roots.h).
bool has_root_estimates(const llvm::TargetMachine& target, const llvm::Function& function);

/// What the target has. None: baseline x86-64, whose stores cannot be masked.
std::optional<transforms::Vectors> vectors_for(const llvm::Function& loop,
                                               const llvm::TargetMachine& target,
                                               const VectorChoice& choice);

/// Vectorises the kernel's loops over threads. Returns why some stay as they are: "file:line: why".
/// Worth it where stores can be masked; elsewhere LLVM's loop vectoriser does what it can.
std::vector<std::string> vectorise_kernel(KernelCode& kernel, const llvm::TargetMachine& target,
                                          const VectorChoice& choice);

}  // namespace gridspan::codegen
