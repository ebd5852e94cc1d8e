// Proofs about a kernel's accesses: images of parts, split axes, the rung of the ladder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::model {

/// In isl operations: every machine finds the same.
struct ProofLimits {
  unsigned long question = 200'000;  // at most this many for one question,
  unsigned long kernel = 600'000;    // and a part of what is left of these: the first questions
                                     // get most, none gets them all
};

/// Runs `work` within the limits, and takes what it needed off the kernel's. False when it did not
/// finish, or when isl could not do it.
bool attempt(isl::ctx context, ProofLimits& limits, const std::function<void()>& work);

/// Fills `sets` of every global and constant array, `axes`, `suggested_axis`, `rung` and
/// `rung_reason` from `accesses`, `dimensions`, `context` and `remarks`. What exceeds the limits
/// degrades to an over-approximation (sets) or "never" (axes) and says so.
void prove(Kernel& kernel, const ProofLimits& limits = {});

}  // namespace gridspan::model
