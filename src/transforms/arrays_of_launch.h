// What the pointers that a launch gives its kernel may have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Value.h"

namespace gridspan::transforms {

/// A struct that the kernel takes by value, or a part of one.
bool is_in_argument(const llvm::Value& pointer);

/// `x` and `y`: arguments of a kernel or variables of its module. A launch may give its kernel one
/// array twice, or a variable of the program's, unless the argument is `__restrict__`.
bool may_be_one_array(const llvm::Value& x, const llvm::Value& y);

}  // namespace gridspan::transforms
