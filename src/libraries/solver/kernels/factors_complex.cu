// Factors of dense matrices: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/factors_kernels.h"

namespace gridspan::libraries::solver {
GRIDSPAN_FACTORS(Complex<float>)
GRIDSPAN_FACTORS(Complex<double>)
}  // namespace gridspan::libraries::solver
