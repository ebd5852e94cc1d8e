// Matrices in full, in bands or packed, and vectors: real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/stored_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_STORED(float)
GRIDSPAN_STORED(double)
}  // namespace gridspan::libraries::blas
