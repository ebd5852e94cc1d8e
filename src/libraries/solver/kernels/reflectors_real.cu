// Products of reflectors: real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/reflectors_kernels.h"

namespace gridspan::libraries::solver {
GRIDSPAN_REFLECTORS(float)
GRIDSPAN_REFLECTORS(double)
}  // namespace gridspan::libraries::solver
