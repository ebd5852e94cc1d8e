// Operations on vectors of 16-bit numbers, which are computed in float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/rotations_kernels.h"

namespace gridspan::libraries::blas {
#define GRIDSPAN_SHORT(T)                                                                          \
  template cudaError_t launch_copy<T>(std::int64_t, Vector<const T>, Vector<T>, cudaStream_t);     \
  template cudaError_t launch_swap<T>(std::int64_t, Vector<T>, Vector<T>, cudaStream_t);           \
  template cudaError_t launch_axpy_short<T>(std::int64_t, Scalar<float>, Vector<const T>,          \
                                            Vector<T>, cudaStream_t);                              \
  template cudaError_t launch_scal_short<T>(std::int64_t, Scalar<float>, Vector<T>, cudaStream_t); \
  GRIDSPAN_ROT(float, T, T, T)                                                                     \
  GRIDSPAN_ROT(float, float, float, T)                                                             \
  GRIDSPAN_ROTM(float, T)
GRIDSPAN_SHORT(__half)
GRIDSPAN_SHORT(__nv_bfloat16)
}  // namespace gridspan::libraries::blas
