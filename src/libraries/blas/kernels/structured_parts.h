// Products of symmetric, Hermitian and triangular matrices as products of general ones: what is
// done before, between and after these. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/structured.h"

namespace gridspan::libraries::blas {

/// Rows or columns of a block on the diagonal.
constexpr std::int64_t diagonal_block = 64;

/// What the kernels' subscripts and grids hold: `rows` and `columns`, `lead` from one column to the
/// next.
inline bool fits_parts(std::int64_t rows, std::int64_t columns, std::int64_t lead) {
  constexpr std::int64_t most = 65535 * 8;
  return rows <= most && columns <= most && lead * columns <= INT32_MAX &&
         rows * columns <= INT32_MAX;
}

/// op(M), rows by columns, as a matrix whose columns follow each other: of a general or triangular
/// M what it is transposed, conjugated or not, and of a symmetric or Hermitian one both triangles.
/// The other triangle of a triangular one is left out, and so is the diagonal if it is ones.
template <typename T>
cudaError_t launch_full(std::int64_t rows, std::int64_t columns, const Operand<T>& from, T* to,
                        cudaStream_t stream);

/// C = sums + beta C in a triangle of n rows; a Hermitian C has a real diagonal.
template <typename T>
cudaError_t launch_triangle(std::int64_t n, const T* sums, std::int64_t lead, Scalar<T> beta, T* c,
                            std::int64_t ldc, Triangle triangle, bool has_real_diagonal,
                            cudaStream_t stream);

/// The blocks on the diagonal of a triangular matrix (not transposed) times B, or B times these:
/// alpha times this becomes C in the first block (of an upper triangle from the left, or a lower
/// one from the right: in all), and is added to C in the others. What is not stored multiplies
/// nothing, not even infinity.
template <typename T>
cudaError_t launch_diagonal_blocks(bool from_left, std::int64_t m, std::int64_t n, Scalar<T> alpha,
                                   const Operand<T>& triangular, const T* b, std::int64_t ldb, T* c,
                                   std::int64_t ldc, cudaStream_t stream);

/// A number of T, or its conjugate, from one in device memory that may be real.
template <typename T, typename Scale>
cudaError_t launch_scalar(const Scale* from, bool conjugates, T* to, cudaStream_t stream);

}  // namespace gridspan::libraries::blas
