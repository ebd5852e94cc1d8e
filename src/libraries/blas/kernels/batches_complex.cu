// Factors and systems of many small matrices: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/batches_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_BATCHES(solver::Complex<float>)
GRIDSPAN_BATCHES(solver::Complex<double>)
}  // namespace gridspan::libraries::blas
