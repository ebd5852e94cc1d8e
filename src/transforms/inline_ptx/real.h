// Floating-point forms of instructions that integers have too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/inline_ptx/lowering.h"

namespace gridspan::transforms::ptx {

void real_sum(Lowering& lowering, const DataType& type, bool subtracts);
void real_product(Lowering& lowering, const DataType& type);
void real_fma(Lowering& lowering, const DataType& type);
void real_quotient(Lowering& lowering, const DataType& type);
void real_extreme(Lowering& lowering, const DataType& type, bool smaller);
void real_sign(Lowering& lowering, const DataType& type);

/// Subnormal numbers become zeros of their sign.
llvm::Value* flushed(Lowering& lowering, llvm::Value* value);
/// Clamped to 0 and 1; NaN becomes 0.
llvm::Value* saturated(Lowering& lowering, llvm::Value* value);
/// The rounding among the modifiers as the device library spells it: "rn", "rz", "ru", "rd"; ""
/// where there is none.
std::string take_rounding(Lowering& lowering);

}  // namespace gridspan::transforms::ptx
