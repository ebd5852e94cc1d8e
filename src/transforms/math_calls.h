// Calls of math functions that have vector forms (abi/math_functions.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between clang's code and the end such calls have names of their own, @gridspan_math_exp_f32,
// which no pass of LLVM folds or replaces in one copy of a kernel and not in the other. Kernels
// none of whose vectors calls one get the functions of single numbers back, the C library's and
// libgridspan's: they are faster for one.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// Gives calls of CUDA's functions that C has not, or not as exact, their neutral names, before the
/// device library is linked, which has them for single numbers.
void name_cuda_math_calls(llvm::Module& module);

/// Gives every call of the C library's in `module` its neutral name.
void name_math_calls(llvm::Module& module);

/// Is this a call by a neutral name, of one lane?
bool is_math_call(const llvm::Value& value);

/// The call for a whole vector: `arguments` in the form for as many lanes as they have.
llvm::CallInst* call_math_of_vectors(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                                     llvm::ArrayRef<llvm::Value*> arguments);

/// Does it call a function for whole vectors?
bool calls_math_of_vectors(const llvm::Function& function);

/// Names the functions of single numbers again in `function`.
void call_math_of_numbers(llvm::Function& function);

}  // namespace gridspan::transforms
