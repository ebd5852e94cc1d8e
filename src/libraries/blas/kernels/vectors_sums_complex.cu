// Sums over vectors of complex floats, and searches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/vectors_sums.h"

namespace gridspan::libraries::blas {
GRIDSPAN_SUMS(cuComplex)
GRIDSPAN_SIZES_OF(cuComplex, float)
}  // namespace gridspan::libraries::blas
