// Operations on vectors: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/vectors_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_VECTORS(cuComplex)
GRIDSPAN_VECTORS(cuDoubleComplex)
GRIDSPAN_SCALED_VECTORS(float, cuComplex)
GRIDSPAN_SCALED_VECTORS(double, cuDoubleComplex)
}  // namespace gridspan::libraries::blas
