// Variables over a block's dynamic shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// `extern __shared__ T name;` declares that memory whatever T is. All such variables become arrays
/// without a length, which is the only kind that PTX has.
void make_dynamic_shared_unsized(llvm::Module& module);

/// Such a variable. Every file of a program may call it as it likes.
bool is_dynamic_shared(const llvm::GlobalValue& value);

}  // namespace gridspan::transforms
