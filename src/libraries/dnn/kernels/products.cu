// The products that convolutions and recurrent networks are made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/gemm_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_GEMM(float, float, float, float)
GRIDSPAN_GEMM(double, double, double, double)
GRIDSPAN_TRANSPOSED(float)
GRIDSPAN_TRANSPOSED(double)
}  // namespace gridspan::libraries::blas
