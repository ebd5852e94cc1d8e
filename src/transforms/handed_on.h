// Blocks that go on from numbers which earlier blocks left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     grid (rows, chunks)
//     from  = chunk > 0 ? carry[row * chunks + chunk - 1] : 0      of a block `rows` blocks before
//     ...
//     carry[row * chunks + chunk] = from + sum
//
// That is a race by CUDA's rules: nothing waits. But GPUs begin blocks in order and hold a few
// thousand at a time, so the earlier block is done long before. Where blocks begin in order on
// CPUs, too, the result is the same.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// A block reads an element of an array, and writes another one, whose subscripts are the block's
/// own: they vary with blockIdx and not with threadIdx, and with rounds of the same loops. Of a
/// simplified kernel; what functions it calls do is not looked at.
bool blocks_hand_on(llvm::Function& kernel);

}  // namespace gridspan::transforms
