// The product of general matrices: half precision, summed in float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/gemm_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_GEMM(float, float, __half, __half)
GRIDSPAN_GEMM(float, float, __half, float)
GRIDSPAN_GEMM(float, __half, __half, __half)
}  // namespace gridspan::libraries::blas
