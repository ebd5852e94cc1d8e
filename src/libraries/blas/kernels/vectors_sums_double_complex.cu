// Sums over vectors of complex doubles, and searches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/vectors_sums.h"

namespace gridspan::libraries::blas {
GRIDSPAN_SUMS(cuDoubleComplex)
GRIDSPAN_SIZES_OF(cuDoubleComplex, double)
}  // namespace gridspan::libraries::blas
