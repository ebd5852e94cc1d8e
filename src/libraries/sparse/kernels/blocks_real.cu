// Sparse matrices in blocks: real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/blocks_kernels.h"

namespace gridspan::libraries::sparse {
GRIDSPAN_SPARSE_BLOCK_KERNELS(float)
GRIDSPAN_SPARSE_BLOCK_KERNELS(double)
}  // namespace gridspan::libraries::sparse
