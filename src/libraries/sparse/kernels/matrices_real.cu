// Sparse matrices and vectors: real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/matrices_kernels.h"

namespace gridspan::libraries::sparse {
GRIDSPAN_SPARSE_KERNELS(float)
GRIDSPAN_SPARSE_KERNELS(double)
}  // namespace gridspan::libraries::sparse
