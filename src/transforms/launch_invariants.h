// Work that is the same for every block, once per launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     float discount = expf(-rate * years);              void k.prologue(launch, values):
//     int rows = n / width;                                values[0] = expf(-rate * years)
//     ...                                         ►        values[1] = n / width
//                                                        void k.block(block):
//                                                          discount = block->launch_values[0]
//
// Parallel loop-invariant motion (Moses et al., Polygeist-CPU, §IV-C) out of the loop over blocks.
// It comes after vectorising: whoever asks what a number is made of (strides, guards, shapes) still
// sees it, and the code for each instruction set and form has its own prologue, so that results
// stay the same bit by bit. What is found under a condition is computed anyway: nothing is moved
// that could do harm, and divisions by zero are by one instead.
//
// Addresses stay where they are: what they have in common tells accesses apart. So do extensions of
// integers, whose upper bits are known.
#pragma once

#include "transforms/lower_globals.h"

#include "llvm/IR/Function.h"

#include <cstdint>

namespace gridspan::transforms {

struct LaunchPrologue {
  llvm::Function* function = nullptr;  // abi::PrologueFunction; null: nothing is worth it
  unsigned values = 0;                 // that it leaves
};

/// Moves what costs more than loading it from `block_function`, void(BlockContext*, i32, i32),
/// which from then on runs only behind its prologue. `parameters`: bytes of each of the kernel's;
/// `symbols`: its module's.
LaunchPrologue move_launch_invariants(llvm::Function& block_function,
                                      llvm::ArrayRef<std::uint32_t> parameters,
                                      llvm::ArrayRef<DeviceSymbol> symbols);

}  // namespace gridspan::transforms
