// Arrays of each thread's own that stay in memory, for want of constant subscripts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     int count[16];                      count[16 * lanes]
//     ... ++count[digit] ...              ... ++count[digit * lanes + lane] ...
//
// The lanes' copies lie side by side, element by element, as GPUs keep local memory: where all
// lanes have the same subscript, their elements are one vector, else they are gathered and
// scattered, and no lane is ever in another's way.
#pragma once

#include "transforms/vectorise/thread_body.h"

namespace gridspan::transforms {

/// Brings the arrays of a region into a form that can be spread over lanes: elements are numbers of
/// at least 32 bits, read and written one by one (fills and copies are loops). Where accesses have
/// several sizes, as when four words are loaded and looked at as eight numbers of 16 bits, elements
/// are of the smallest, and wider accesses are several. Changes nothing, and returns none, if one
/// of the arrays has no such form: its address goes elsewhere, or parts of pointers are looked at.
std::vector<OwnArray> simplify_own_arrays(llvm::Function& region);

/// Makes room for all lanes. A thread alone finds itself in the first lane's place.
void spread_over_lanes(std::vector<OwnArray>& arrays, unsigned lanes);

}  // namespace gridspan::transforms
