// float to half and back, by the instructions that CPUs have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     float Half::widen(unsigned short)             ►  @gridspan_half_widen   ►  fpext
//     unsigned short narrow<Half>(float, nearest)   ►  @gridspan_half_narrow  ►  fptrunc
//
// Our headers convert with integers (cuda_headers/gridspan/small_float_bits.h): some 30 operations
// beside each sum of two halfs. From AVX2's generation on, x86 has an instruction for a vector.
// Which of the two it is is decided for each instruction set. Until then there is a call by a
// neutral name: LLVM would make arithmetic on `half` of IR's own conversions, which a CPU without
// instructions leaves to functions that no library of ours has. Results are the same bits, but that
// the instructions mark signalling NaNs as quiet.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// The headers' functions, known by their names, call the neutral ones; before they are inlined.
/// Other roundings than to the nearest stay as they are.
void name_half_conversions(llvm::Module& module);

/// Is this such a call, of one lane?
bool is_half_conversion(const llvm::Value& value);

/// The call for a vector of what `call` converts.
llvm::CallInst* half_conversion_of_vector(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                                          llvm::Value* numbers);

/// Makes code of all calls in `function`.
void write_half_conversions(llvm::Function& function, bool has_instructions);

}  // namespace gridspan::transforms
