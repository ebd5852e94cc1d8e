// Calls of math functions that have vector forms (abi/math_functions.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between clang's code and the end such calls have names of their own, @gridspan_math_exp_f32,
// which no pass of LLVM folds or replaces in one copy of a kernel and not in the other. Kernels
// none of whose vectors calls one get the C library's functions back: for single numbers it is
// faster.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// Gives every call of such a function in `module` its neutral name.
void name_math_calls(llvm::Module& module);

/// Is this a call by a neutral name, of one lane?
bool is_math_call(const llvm::Value& value);

/// The call for a whole vector: `arguments` in the form for as many lanes as they have.
llvm::CallInst* call_math_of_vectors(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                                     llvm::ArrayRef<llvm::Value*> arguments);

/// Does it call a function for whole vectors?
bool calls_math_of_vectors(const llvm::Function& function);

/// Names the C library's functions again in `function`.
void call_c_library(llvm::Function& function);

}  // namespace gridspan::transforms
