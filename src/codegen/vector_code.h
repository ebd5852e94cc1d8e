// Threads as lanes of vectors, where the target has what it takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/kernel_code.h"
#include "codegen/pipeline.h"
#include "codegen/stage_times.h"
#include "codegen/variants.h"
#include "transforms/vectorise/thread_body.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Target/TargetMachine.h"

namespace gridspan::codegen {

struct VectorChoice {
  unsigned bits = 0;  // at most; 0: all there are
  transforms::RowChoice rows;
  bool wide = true;
  bool math = true;  // vectors may call our math functions
};

/// Our math functions for vectors can be called; there are none for two doubles.
bool has_vector_math(const llvm::TargetMachine& target, const llvm::Function& function);

/// An x86 CPU that computes a * b + c in two steps.
bool lacks_fused_multiply_add(const llvm::TargetMachine& target, const llvm::Function& function);

/// There are instructions for estimates of reciprocal roots (transforms/reciprocal_roots.h).
bool has_root_estimates(const llvm::TargetMachine& target, const llvm::Function& function);

/// There are instructions between float and half (transforms/half_conversions.h).
bool has_half_conversions(const llvm::TargetMachine& target, const llvm::Function& function);

/// What the target has. None: baseline x86-64, whose stores cannot be masked.
std::optional<transforms::Vectors> vectors_for(const llvm::Function& loop,
                                               const llvm::TargetMachine& target,
                                               const VectorChoice& choice);

/// A kernel in one variant. Functions below that are stages have their rows, and so their order, in
/// pipeline.cpp.
struct VectorWork {
  VectorWork(const DeviceCompilation& whole, const VariantCode& variant, KernelCode& code);

  void vectorise_loops(Stages inner);
  /// Forms that are of use only as vectors.
  void drop_scalar_forms();

  bool does(const Stage& stage) const;
  bool is_done() const { return false; }
  StageTimes* times() const;

  const DeviceCompilation& compilation;
  KernelCode& kernel;
  const llvm::TargetMachine& target;
  KernelSettings settings;
  VectorChoice choice;
  llvm::SmallPtrSet<llvm::Function*, 8> scalar;  // loops that stay as they are
  std::vector<std::string> reasons;              // why: "file:line: why"
};

/// One of its functions with loops over threads. Vectors are worth it where stores can be masked;
/// elsewhere LLVM's loop vectoriser does what it can.
struct LoopWork {
  LoopWork(VectorWork& whole, llvm::Function& code);

  void choose_math();
  void vectorise();
  void finish_scalar_loop();

  bool does(const Stage& stage) const { return kernel.does(stage); }
  bool is_done() const { return false; }
  StageTimes* times() const { return kernel.times(); }

  VectorWork& kernel;
  llvm::Function& loop;
  std::optional<transforms::Vectors> vectors;
};

}  // namespace gridspan::codegen
