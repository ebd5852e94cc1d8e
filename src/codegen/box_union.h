// Overlapping boxes become disjoint ones while the footprint function runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//        +---+                 +---+
//      +-|-+ |               +-|   |
//      | | | |      ->       | | 0 |       box 1 minus box 0: slabs below, above, left, right
//      +-|-+ |               +-|   |
//        +---+                 +---+
//
// isl could make the same pieces, but has to tell apart which end of which box is the larger: the
// cross of a five-point stencil at the edge of an array then has dozens of cases, of which a launch
// meets two or three (BBMM, Algorithm 2, does it as here).
#pragma once

#include "codegen/isl_code.h"

#include <vector>

namespace gridspan::codegen {

/// A box of elements; holds none unless `exists` (i1) and every first <= last.
struct ConcreteBox {
  llvm::Value* exists;
  std::vector<llvm::Value*> first, last;
};

/// Pieces that code is written for when `count` boxes of rank `rank` are made disjoint.
std::size_t union_pieces(std::size_t count, unsigned rank);

/// Calls `take` for disjoint boxes that together are the union of `boxes`.
void disjoint_boxes(IslCode& code, const std::vector<ConcreteBox>& boxes,
                    const std::function<void(const ConcreteBox&)>& take);

/// Calls `take` for the smallest box around those of `boxes` that exist, if there are any.
void box_around(IslCode& code, const std::vector<ConcreteBox>& boxes,
                const std::function<void(const ConcreteBox&)>& take);

}  // namespace gridspan::codegen
