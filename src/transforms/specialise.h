// A kernel for launches of which some numbers are known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     before: i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i / w] = ...
//     after:  i = blockIdx.x * 256 + threadIdx.x;        if (i < 1024) out[i / 12] = ...
//
// It must compute the same bit by bit. So it starts from the simplified module that the ordinary
// build starts from, and from then on nothing may happen to floating-point operations that depends
// on what else is known: math functions of constants are not computed by the compiler
// (keep_math_calls), and kernels whose operations may be combined freely are refused.
#pragma once

#include "support/launch_condition.h"

#include "llvm/IR/Module.h"

#include <optional>
#include <string>

namespace gridspan::transforms {

/// Why this kernel, alone in its simplified module, cannot be specialised.
std::optional<std::string> why_not_specialised(llvm::Function& kernel);

/// Puts the numbers in the place of parameters and special registers. All functions of the module
/// belong to the kernel. Until show_positions, what threads know their places by is hidden:
///
///     blockIdx.x * blockDim.x + threadIdx.x   ->   @gridspan.position.x()
///
/// What LLVM would make of the numbers in it is no longer a position to those who look for one
/// (joined_blocks.h): 16 * blockIdx.y + threadIdx.y < 1024 becomes blockIdx.y < 64.
void specialise(llvm::Function& kernel, const support::LaunchCondition& condition);

void show_positions(llvm::Module& module);

/// Has every math function called that LLVM would compute, or replace, where it knows more. The CPU
/// that code is for has fused multiply-add, and uses it wherever it may.
void keep_math_calls(llvm::Function& function);
void keep_math_calls(llvm::Module& module);

}  // namespace gridspan::transforms
