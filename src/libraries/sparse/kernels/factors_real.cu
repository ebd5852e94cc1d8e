// Sparse matrices: incomplete factors, products of two; real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/factors_kernels.h"

namespace gridspan::libraries::sparse {
GRIDSPAN_SPARSE_FACTORS(float)
GRIDSPAN_SPARSE_FACTORS(double)
}  // namespace gridspan::libraries::sparse
