// Products of matrices of complex numbers, as cuBLAS has them, for the steps of factorisations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/gemm_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_GEMM(cuComplex, cuComplex, cuComplex, cuComplex)
GRIDSPAN_GEMM(cuDoubleComplex, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex)
}  // namespace gridspan::libraries::blas
