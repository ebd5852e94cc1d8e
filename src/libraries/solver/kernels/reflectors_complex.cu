// Products of reflectors: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/reflectors_kernels.h"

namespace gridspan::libraries::solver {
GRIDSPAN_REFLECTORS(Complex<float>)
GRIDSPAN_REFLECTORS(Complex<double>)
}  // namespace gridspan::libraries::solver
