// Sums over vectors of double, and searches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/vectors_sums.h"

namespace gridspan::libraries::blas {
GRIDSPAN_SUMS(double)
}  // namespace gridspan::libraries::blas
