// The product of general matrices: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/gemm_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_GEMM(cuComplex, cuComplex, cuComplex, cuComplex)
GRIDSPAN_GEMM(cuDoubleComplex, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex)
GRIDSPAN_TRANSPOSED(cuComplex)
GRIDSPAN_TRANSPOSED(cuDoubleComplex)
}  // namespace gridspan::libraries::blas
