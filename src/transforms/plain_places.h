// Addresses and loops that know blocks only as parts of positions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's matrixMul walks along rows with `a` from `wA * 16 * blockIdx.y` in steps of 16. In arrays
// of less than 2 GiB a subscript is what it is modulo 2^32, and from one round to the next it moves
// on by the step (widen_subscripts.h). So it can be written with positions (place_algebra.h), and
// neighbouring blocks can be joined.
#pragma once

#include "transforms/place_algebra.h"
#include "transforms/staged_tiles.h"

#include "llvm/IR/Dominators.h"

namespace gridspan::transforms {

/// A loop that all threads go round together, filling tiles in each round, ends when a number that
/// begins with the block's (`a < aBegin + wA`) is reached: it is counted from zero instead. True:
/// it is for small arrays now.
bool count_from_zero(llvm::Loop& loop, const StagedTiles& tiles,
                     const llvm::DominatorTree& dominators, PlaceAlgebra& algebra,
                     llvm::ScalarEvolution& evolution);

/// Of a kernel's accesses through pointer parameters, all that depend on their place; false: it
/// cannot be done with some of them, and the kernel is as it was. Else it is for small arrays.
bool write_with_positions(llvm::Function& kernel, const std::array<std::uint32_t, 3>& block);

}  // namespace gridspan::transforms
