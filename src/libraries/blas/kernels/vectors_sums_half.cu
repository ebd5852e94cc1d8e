// Sums over vectors of half precision, and searches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/vectors_sums.h"

namespace gridspan::libraries::blas {
GRIDSPAN_SUMS(__half)
}  // namespace gridspan::libraries::blas
