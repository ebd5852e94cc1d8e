// LLVM IR → kernel model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"
#include "model/prove.h"

#include "llvm/IR/Module.h"

namespace gridspan::analysis {

struct Limits {
  unsigned long work = 22'000'000;  // for one kernel: operations of isl times symbols (budget.h)
  model::ProofLimits proofs;
};

/// A __global__ function of the module and its __launch_bounds__ (0 = not given).
struct KernelEntry {
  std::string name;  // mangled
  unsigned max_threads = 0, min_blocks = 0;
};

/// The models of these kernels of a canonical nvptx64 module (as clang wrote it), with proofs.
/// Works on a copy. Never fails: what is not understood is in the model as unbounded accesses and
/// remarks. A kernel on which the analysis itself breaks down has no model; stderr says so.
/// `short_of_work`: gets the names of those for which less than `limits` was left of what a module
/// may cost (model/allowance.h).
std::vector<model::Kernel> analyse(const llvm::Module& module,
                                   const std::vector<KernelEntry>& kernels, isl::ctx context,
                                   const Limits& limits = {},
                                   std::vector<std::string>* short_of_work = nullptr);

}  // namespace gridspan::analysis
