// Factors and systems of many small matrices: real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/batches_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_BATCHES(float)
GRIDSPAN_BATCHES(double)
}  // namespace gridspan::libraries::blas
