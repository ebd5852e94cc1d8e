// cuBLAS: sides, triangles and matrices as calls give them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/api/arguments.h"
#include "libraries/blas/kernels/structured.h"

namespace gridspan::libraries::blas {

inline Triangle triangle_of(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER ? Triangle::lower : Triangle::upper;
}

template <typename T>
Operand<T> matrix(const T* base, std::int64_t lead, cublasOperation_t operation = CUBLAS_OP_N) {
  Operand<T> result;
  result.base = base;
  result.lead = lead;
  result.transposed = operation != CUBLAS_OP_N;
  result.conjugates = operation == CUBLAS_OP_C;
  return result;
}

}  // namespace gridspan::libraries::blas
