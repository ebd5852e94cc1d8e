// Symmetric, Hermitian and triangular matrices, sums of matrices: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/structured_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_HERMITIAN(cuComplex, float)
GRIDSPAN_HERMITIAN(cuDoubleComplex, double)
}  // namespace gridspan::libraries::blas
