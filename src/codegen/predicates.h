// Conditions on a launch as native functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All are abi::PredicateFunction and err towards false: where isl's limits are reached, where a
// name is unknown, and where a parameter they use does not fit (launch_values.h).
#pragma once

#include "codegen/fit_needs.h"
#include "model/kernel.h"

#include "llvm/IR/Module.h"

namespace gridspan::codegen {

/// Is the launch in `condition`, a set over parameters?
llvm::Function* make_condition(llvm::Module& module, const model::Kernel& kernel,
                               const model::OrNull<isl::set>& condition, const llvm::Twine& name);

llvm::Function* make_assumption(llvm::Module& module, const model::Kernel& kernel,
                                const model::Assumption& assumption, const llvm::Twine& name);

/// Do all `numbers` fit? Null if they do at every launch.
llvm::Function* make_fit(llvm::Module& module, const model::Kernel& kernel, const FitNeeds& numbers,
                         const llvm::Twine& name);

}  // namespace gridspan::codegen
