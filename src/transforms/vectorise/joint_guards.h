// Guards one behind the other are tested together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (i < n) a[i] = x                        if (i < n && i + 1 < n)
//     if (i + 1 < n) a[i + 1] = y        =>        a[i] = x, a[i + 1] = y
//                                                else
//                                                  as before
//
// What a vector takes for granted is checked before its first side effect, where it can still start
// over under masks (assumptions.h): the second guard would come too late. And what stands in one
// block may become one wide access (members.h).
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

/// Joins guards of the loop over threads that compare numbers known before the first of them.
void join_guards(llvm::Function& region);

/// The branch that tests them all; its second way is the likely one.
bool tests_joint_guards(const llvm::BranchInst& branch);

}  // namespace gridspan::transforms
