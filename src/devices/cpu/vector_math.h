// The math functions of abi/math_functions.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/options.h"

namespace gridspan::devices::cpu {

/// Whose functions they are; to be said before the first of them is called.
void choose_math(support::CpuMath wanted);

}  // namespace gridspan::devices::cpu
