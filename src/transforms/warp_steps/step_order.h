// Numbers the steps of a function, so that lanes that are behind can be told from those in front.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Lanes that wait at different steps go on from the first in this order: code behind a branch
/// comes after its ways, code behind a loop after the loop. Where lanes may part in a loop with
/// steps, its rounds end with one, so that nobody is rounds ahead.
void number_steps(llvm::Function& function);

}  // namespace gridspan::transforms
