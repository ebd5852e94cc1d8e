// The product of general matrices: bytes, summed in int or float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/gemm_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_GEMM(int, int, signed char, int)
GRIDSPAN_GEMM(int, int, int, int)
GRIDSPAN_GEMM(float, float, signed char, float)
}  // namespace gridspan::libraries::blas
