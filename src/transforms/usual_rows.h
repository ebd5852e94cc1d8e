// The length of a block's rows that a kernel's own numbers take for granted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     int x = blockIdx.x * 32 + threadIdx.x;        nobody launches this with other rows than 32
//     tile[threadIdx.y][threadIdx.x] = ...          nor this, if tile is float[16][16], with others
//     than 16
//
// Code for such blocks knows how many vectors a row is. It is no more than a guess: the run time
// chooses at each launch.
#pragma once

#include "transforms/known_shape.h"

namespace gridspan::transforms {

/// A number that forms know, blockDim.x or with `is_whole_shape` any of a block's sizes, may become
/// part of floating-point arithmetic, which the compiler could then do in another way.
bool size_becomes_floating(llvm::Function& kernel, bool is_whole_shape);

/// All zero: nothing tells, or the number must not be known.
BlockShape usual_rows(llvm::Function& kernel);

}  // namespace gridspan::transforms
