// Sums over vectors of bfloat16, and searches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/vectors_sums.h"

namespace gridspan::libraries::blas {
GRIDSPAN_SUMS(__nv_bfloat16)
}  // namespace gridspan::libraries::blas
