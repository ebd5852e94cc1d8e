// Matrices in full, in bands or packed, and vectors: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/stored_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_STORED(cuComplex)
GRIDSPAN_STORED(cuDoubleComplex)
GRIDSPAN_OUTER(float, cuComplex)
GRIDSPAN_OUTER(double, cuDoubleComplex)
}  // namespace gridspan::libraries::blas
