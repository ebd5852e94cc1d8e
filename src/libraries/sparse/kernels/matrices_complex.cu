// Sparse matrices and vectors: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/matrices_kernels.h"

namespace gridspan::libraries::sparse {
GRIDSPAN_SPARSE_KERNELS(cuComplex)
GRIDSPAN_SPARSE_KERNELS(cuDoubleComplex)
}  // namespace gridspan::libraries::sparse
