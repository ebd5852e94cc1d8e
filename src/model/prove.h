// Proofs about a kernel's accesses: images of parts, split axes, the rung of the ladder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::model {

struct ProofLimits {
  unsigned long operations = 200'000;  // isl operations for one question
};

/// Runs `work` within the limits. False when it did not finish, or when isl could not do it. A
/// question that reached the limit halves it for those that follow: a kernel as a whole is bounded,
/// and by numbers of operations, so that every machine finds the same.
bool attempt(isl::ctx context, ProofLimits& limits, const std::function<void()>& work);

/// Fills `sets` of every global and constant array, `axes`, `suggested_axis`, `rung` and
/// `rung_reason` from `accesses`, `dimensions`, `context` and `remarks`. What exceeds the limits
/// degrades to an over-approximation (sets) or "never" (axes) and says so.
void prove(Kernel& kernel, const ProofLimits& limits = {});

}  // namespace gridspan::model
