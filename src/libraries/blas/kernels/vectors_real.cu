// Operations on vectors: real numbers; dot products of half precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/vectors_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_VECTORS(float)
GRIDSPAN_VECTORS(double)
template cudaError_t launch_sum<__half, __half>(Sum, std::int64_t, Vector<const __half>,
                                                Vector<const __half>, __half*, cudaStream_t);
template cudaError_t launch_sum<__nv_bfloat16, __nv_bfloat16>(Sum, std::int64_t,
                                                              Vector<const __nv_bfloat16>,
                                                              Vector<const __nv_bfloat16>,
                                                              __nv_bfloat16*, cudaStream_t);
}  // namespace gridspan::libraries::blas
