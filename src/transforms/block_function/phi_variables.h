// Phis between segments become variables, which what comes round a loop shares with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (...) {                              before:  sum = phi(0, next): a variable for each,
//       tile = ...; barrier                             copied in each round, for all threads
//       next = sum + f(tile); barrier
//     }                                        after:   variable = variable + f(tile)
#pragma once

#include "transforms/block_function/segments.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gridspan::transforms {

using SegmentOf = llvm::function_ref<const Segment*(const llvm::BasicBlock*)>;

/// Takes the place of `phi`, whose block begins a segment. Each segment loads the variable where it
/// begins. A value that comes from another segment is stored where it is found, instead of on the
/// way to the phi, if nobody wants the old one from there on. Null: nobody wants the phi at all.
llvm::AllocaInst* make_phi_variable(llvm::PHINode& phi, const Segments& kernel,
                                    SegmentOf segment_of);

}  // namespace gridspan::transforms
