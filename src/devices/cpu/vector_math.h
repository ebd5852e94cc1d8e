// The math functions of abi/math_functions.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/options.h"

namespace gridspan::devices::cpu {

/// Whose functions they are; to be said before the first of them is called. Without SLEEF's library
/// they are the C library's, lane by lane.
void choose_math(support::CpuMath wanted);

/// Is SLEEF's library on this machine?
bool has_sleef();

}  // namespace gridspan::devices::cpu
