// Symmetric, Hermitian and triangular matrices, sums of matrices: real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/structured_kernels.h"
#include "libraries/blas/kernels/structured_parts_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_STRUCTURED(float)
GRIDSPAN_STRUCTURED(double)
GRIDSPAN_STRUCTURED_PARTS(float)
GRIDSPAN_STRUCTURED_PARTS(double)
}  // namespace gridspan::libraries::blas
