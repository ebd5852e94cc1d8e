// Rotations of pairs of vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/rotations_kernels.h"

namespace gridspan::libraries::blas {
GRIDSPAN_ROT(float, float, float, float)
GRIDSPAN_ROT(double, double, double, double)
GRIDSPAN_ROT(cuComplex, float, cuComplex, cuComplex)
GRIDSPAN_ROT(cuComplex, float, float, cuComplex)
GRIDSPAN_ROT(cuDoubleComplex, double, cuDoubleComplex, cuDoubleComplex)
GRIDSPAN_ROT(cuDoubleComplex, double, double, cuDoubleComplex)
GRIDSPAN_ROTM(float, float)
GRIDSPAN_ROTM(double, double)
template cudaError_t make_rotation<float>(bool, float*, float*, float*, float*, cudaStream_t);
template cudaError_t make_rotation<double>(bool, double*, double*, double*, double*, cudaStream_t);
template cudaError_t make_complex_rotation<cuComplex, float>(bool, cuComplex*, cuComplex*, float*,
                                                             cuComplex*, cudaStream_t);
template cudaError_t make_complex_rotation<cuDoubleComplex, double>(bool, cuDoubleComplex*,
                                                                    cuDoubleComplex*, double*,
                                                                    cuDoubleComplex*, cudaStream_t);
template cudaError_t make_modified_rotation<float>(bool, float*, float*, float*, const float*,
                                                   float*, cudaStream_t);
template cudaError_t make_modified_rotation<double>(bool, double*, double*, double*, const double*,
                                                    double*, cudaStream_t);
}  // namespace gridspan::libraries::blas
