// What the fast version of a region takes for granted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/vectorise/shapes.h"

namespace gridspan::transforms {

enum class Version {
  general,  // under masks
  fast,     // all lanes of a whole vector do the same
  fastest,  // and none is at an array's edge
};

/// Conditions found before anything outside the thread's own values changes, so that a more general
/// version may start over:
/// - thread numbers that do not wrap where they become addresses (`blockIdx.x * blockDim.x +
///   threadIdx.x` is computed in 32 bits);
/// - if fast: guards (`if (i < n) { everything }`) whose lanes all go in;
/// - if fastest: subscripts that are clamped for no lane (`in[max(x - 1, 0)]`, `in[x > 0 ? x - 1 :
///   n - 1]`).
Assumptions find_assumptions(const ThreadBody& body, const llvm::LoopInfo& loops,
                             const llvm::DominatorTree& dominators,
                             const llvm::PostDominatorTree& post_dominators, Version version);

}  // namespace gridspan::transforms
