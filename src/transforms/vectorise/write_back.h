// Conditional stores that may write back what was there: `if (x < a[i]) a[i] = x` as a minimum.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: lanes that find it store under a mask.   After: all lanes store.
//
//     any = a[i ... i + 7] > x                         a[i ... i + 7] = select(a[i ... i + 7] > x,
//     if any: masked_store(a[i ... i + 7], x, any)                             x, a[i ... i + 7])
//
// Masked stores of AVX2 take many times as long as plain ones on some CPUs, and whether any lane
// stores is hard to foresee. A lane that does not store writes what it has just read. Nobody may
// have written it in between: who races with a comparison of what he writes loses results anyway.
// So it must be that comparison; other conditions (`if (state[i] == 2) state[i] = 3`) may be meant
// to be harmless while another thread makes a 2 of a 1.
#pragma once

#include "transforms/vectorise/shapes.h"

namespace gridspan::transforms {

/// What `store` may write for lanes that don't come to it, though all lanes come to the branch
/// before it; null: nothing.
llvm::LoadInst* written_back(const Shapes& shapes, const llvm::StoreInst& store);

}  // namespace gridspan::transforms
