// All threads of a block as one row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes are neighbours along threadIdx.x, and warps are found in rows of whole warps. Where rows
// are shorter than that (blocks of 16 x 16 whose warps shuffle, of 4 x 64), threads are numbered
// through, as CUDA numbers them, and find their place in the block from that:
//
//     threadIdx.x                        l % blockDim.x
//     threadIdx.y          ───►          l / blockDim.x % blockDim.y
//     threadIdx.z                        l / (blockDim.x * blockDim.y)
//
// so that the loop over threads is one loop, whose lanes are neighbours in l.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <array>

namespace gridspan::transforms {

/// For a simplified kernel; what is known of the block's shape (known_shape.h) becomes part of the
/// arithmetic. Functions that are made of it inherit that their threads are numbered so.
void number_threads_linearly(llvm::Function& kernel);
bool has_linear_threads(const llvm::Function& function);

/// The kernel asks for its place along y or z.
bool has_rows(llvm::Function& kernel);

/// threadIdx of the thread `linear` (i32, below 1024) of a block of `size`. No division: with
/// m = ceil(2^20 / n), l * m / 2^20 is l / n for all l and n up to 1024, since the error is below
/// l / 2^20.
std::array<llvm::Value*, 3> thread_index_of(llvm::IRBuilder<>& builder, llvm::Value* linear,
                                            const std::array<llvm::Value*, 3>& size);

}  // namespace gridspan::transforms
