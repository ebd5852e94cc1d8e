// Sparse matrices in blocks: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/blocks_kernels.h"

namespace gridspan::libraries::sparse {
GRIDSPAN_SPARSE_BLOCK_KERNELS(cuComplex)
GRIDSPAN_SPARSE_BLOCK_KERNELS(cuDoubleComplex)
}  // namespace gridspan::libraries::sparse
