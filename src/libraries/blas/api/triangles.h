// cuBLAS: sides, triangles and matrices as calls give them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/api/arguments.h"
#include "libraries/blas/kernels/structured.h"

#include <algorithm>

namespace gridspan::libraries::blas {

inline bool at_least(std::int64_t lead, std::int64_t rows) {
  return lead >= std::max<std::int64_t>(1, rows);
}
inline bool is_triangle(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_side(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
inline bool is_diagonal(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT;
}
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
