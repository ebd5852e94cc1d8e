// Native footprint functions: part → disjoint strided boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/fit_needs.h"
#include "model/allowance.h"
#include "model/kernel.h"

#include "llvm/IR/Module.h"

namespace gridspan::codegen {

struct Footprint {
  llvm::Function* function = nullptr;  // abi::FootprintFunction; null: unbounded
  bool exact = true;     // false: boxes were widened; a must-write is a may-write then
  bool overlap = false;  // boxes may have elements in common
};

/// The function of `set`, an access set of `array`. Adds to `needs` the numbers that must fit for
/// the function to be right. `allowance`: of isl's operations times the kernel's symbols, for all
/// footprints of the module.
Footprint make_footprint(llvm::Module& module, const model::Kernel& kernel,
                         const model::AccessSet& set, const model::Array& array,
                         const llvm::Twine& name, model::Allowance& allowance, FitNeeds& needs);

/// Attributes of functions that run once a launch: small, never wide, never unwinding.
void mark_as_launch_code(llvm::Function& function);

}  // namespace gridspan::codegen
