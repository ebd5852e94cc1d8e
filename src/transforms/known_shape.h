// The block's shape, where code is for blocks of that shape only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <array>
#include <cstdint>

namespace gridspan::transforms {

using BlockShape = std::array<std::uint32_t, 3>;

/// As opposed to a length of rows.
constexpr bool is_launched_shape(const BlockShape& shape) { return shape[1] != 0; }

/// The function runs for such blocks only; 0: any size along that axis. Functions that are made of
/// it inherit this. Fixes blockDim, and bounds threadIdx, where it asks for them.
void set_known_shape(llvm::Function& function, const BlockShape& shape);

/// The number `read`, threadIdx along an axis, is below `count`.
void bound_thread(llvm::CallInst& read, std::uint32_t count);

/// All zero: nothing is known.
BlockShape known_shape(const llvm::Function& function);

}  // namespace gridspan::transforms
