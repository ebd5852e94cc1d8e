// Factors of dense matrices: real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/factors_kernels.h"

namespace gridspan::libraries::solver {
GRIDSPAN_FACTORS(float)
GRIDSPAN_FACTORS(double)
}  // namespace gridspan::libraries::solver
