// Systems of few diagonals; real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/bands_kernels.h"

namespace gridspan::libraries::sparse {
GRIDSPAN_SPARSE_BANDS(float)
GRIDSPAN_SPARSE_BANDS(double)
}  // namespace gridspan::libraries::sparse
