// Accesses of memory, announced to the checks of interpret mode.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nearly all accesses are good, so code looks itself before it calls the run time:
//
//     a[i] = x;        offset = &a[i] - slot.base
//                      if (offset >= slot.count || &a[i] is misaligned)
//                      gridspan_check_access(&a[i]) a[i] = x
//
// where `slot` is one of BlockContext::good_places, and where the code shows the variable that an
// access goes through,
//
//     s[i] = x;        if (&s[i] - s > sizeof s - sizeof x || ...) gridspan_check_inside(&s[i])
#pragma once

#include "transforms/known_variable.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace gridspan::transforms {

/// What a kernel got.
struct KernelPointers {
  llvm::SmallPtrSet<const llvm::Value*, 8> arguments;  // global memory, if they are pointers
  ParameterBytes structs;
};

/// Before each access of `function`, unless it is seen to stay within a variable that no other
/// thread touches.
void announce_accesses(llvm::Function& function, const KernelPointers& pointers);

/// Volatile and atomic accesses.
bool lets_others_run(const llvm::Instruction& access);

}  // namespace gridspan::transforms
