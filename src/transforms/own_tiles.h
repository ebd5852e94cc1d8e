// Tiles of sums that each thread keeps: computed in vectors of the tile's own elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     float sums[8][8];
//     for (...)
//       for (int i = 0; i < 8; ++i)
//         for (int j = 0; j < 8; ++j) sums[i][j] += a[i] * b[j];
//
// is how products of matrices are written for GPUs: each thread has a tile of the result in its
// registers. As vectors of threads so many sums do not fit into registers, and often lanes'
// operands lie a tile apart, so that they would be gathered. One thread's tile does fit: in its row
// neighbours have the same `a` and neighbouring `b`. So threads run one by one, a region keeps the
// tile of its thread in variables of its own, and LLVM makes vectors of the tile's elements.
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace gridspan::transforms {

/// Marks the kernel's tiles, and the small arrays that feed them, and says where it sums. Marks
/// none if the sums are a small part of the work, or if an element's subscript is not known once
/// loops are unrolled. Small tiles whose loops LLVM has unrolled are no arrays any more.
std::optional<SourceLine> mark_own_tiles(llvm::Function& kernel);

/// The array, or a region's copy of it, is marked.
bool is_own_tile(const llvm::Instruction& array);

/// The region has such arrays.
bool uses_own_tiles(const llvm::Function& region);

/// Loops over their elements are to be unrolled, so that they become values.
void unroll_own_tiles(llvm::Function& region);

}  // namespace gridspan::transforms
