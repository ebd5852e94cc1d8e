// Operations on vectors: real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/vectors_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_VECTORS(float)
GRIDSPAN_VECTORS(double)
}  // namespace gridspan::libraries::blas
