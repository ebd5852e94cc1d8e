// Symmetric, Hermitian and triangular matrices, sums of matrices: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/structured_kernels.h"
#include "libraries/blas/kernels/structured_parts_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_HERMITIAN(cuComplex, float)
GRIDSPAN_HERMITIAN(cuDoubleComplex, double)
GRIDSPAN_STRUCTURED_PARTS_OF_REAL(cuComplex, float)
GRIDSPAN_STRUCTURED_PARTS_OF_REAL(cuDoubleComplex, double)
}  // namespace gridspan::libraries::blas
