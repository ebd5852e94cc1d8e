// Systems of few diagonals; complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/bands_kernels.h"

namespace gridspan::libraries::sparse {
GRIDSPAN_SPARSE_BANDS(cuComplex)
GRIDSPAN_SPARSE_BANDS(cuDoubleComplex)
}  // namespace gridspan::libraries::sparse
