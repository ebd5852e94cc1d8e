// The SPMD vectoriser: consecutive threads of a region become the lanes of vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: a loop over threads, simplified:       After: in front of it one over whole vectors.
//
//     for (i = 0; i < count; ++i)                  for (v = 0; v + lanes <= count; v += lanes)
//       thread(i)                                     threads(v ... v + lanes - 1)
//                                                  for (i = v; i < count; ++i)
//                                                     thread(i)
//
// It follows Karrenberg & Hack (whole-function vectorisation) and Moll & Hack (partial
// linearisation): thread_body.h finds and orders the code, shapes.h says what differs between
// lanes, assumptions.h what a fast version may take for granted, widener.h writes. Each thread's
// floating-point operations are those of the loop over threads, in the same order.
#pragma once

#include "transforms/vectorise/thread_body.h"

#include <optional>

namespace gridspan::transforms {

/// Vectorises the region for `vectors`. Otherwise says why not; the region is then
/// as it was but for the form of its loops.
std::optional<ScalarReason> vectorise(llvm::Function& region, const Vectors& vectors);

}  // namespace gridspan::transforms
