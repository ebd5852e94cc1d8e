// Sparse matrices: incomplete factors, products of two; complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/factors_kernels.h"

namespace gridspan::libraries::sparse {
GRIDSPAN_SPARSE_FACTORS(cuComplex)
GRIDSPAN_SPARSE_FACTORS(cuDoubleComplex)
}  // namespace gridspan::libraries::sparse
