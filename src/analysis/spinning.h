// Loops that go round until memory holds what they want.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::analysis {

/// Whether what it reads takes part in ending its loop. O(users of it).
bool may_spin(const llvm::LoadInst& load, const llvm::LoopInfo& loops);

}  // namespace gridspan::analysis
