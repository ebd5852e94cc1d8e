// Operations on vectors: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/vectors_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_COMPLEX_VECTORS(cuComplex, float)
GRIDSPAN_COMPLEX_VECTORS(cuDoubleComplex, double)
}  // namespace gridspan::libraries::blas
