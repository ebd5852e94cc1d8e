// 1 / sqrt(x), where two units in the last place are allowed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's rsqrtf, and 1 / sqrtf(x) of programs that allow reciprocals, is a division marked `arcp`
// in clang's code. Processors with AVX-512 have an estimate of 14 bits; one step of Newton's makes
// it 1.1 units in the last place, in a third of the time of a root and a division. Which of the two
// is decided for each instruction set, for vectors and single numbers alike, so that a kernel's
// results do not depend on how its threads are gathered. Until then there is a call by a neutral
// name, @gridspan_rsqrt_f32, which no pass of LLVM knows.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// Makes calls of all such divisions in `module`.
void name_reciprocal_roots(llvm::Module& module);

/// Is this such a call, of one lane?
bool is_reciprocal_root(const llvm::Value& value);

/// There are such calls, of one lane or of several.
bool has_reciprocal_roots(const llvm::Function& function);

/// The call for a vector of floats.
llvm::CallInst* reciprocal_root_of_vector(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                                          llvm::Value* numbers);

/// Makes code of all calls in `function`. `has_estimates`: for AVX-512 (F and VL).
void write_reciprocal_roots(llvm::Function& function, bool has_estimates);

}  // namespace gridspan::transforms
