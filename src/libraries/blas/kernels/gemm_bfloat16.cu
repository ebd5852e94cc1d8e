// The product of general matrices: bfloat16, summed in float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/gemm_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_GEMM(float, float, __nv_bfloat16, __nv_bfloat16)
GRIDSPAN_GEMM(float, float, __nv_bfloat16, float)
}  // namespace gridspan::libraries::blas
