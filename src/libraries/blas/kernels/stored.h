// Matrices in full, in bands or packed, and vectors: how the kernels are launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/structured.h"

namespace gridspan::libraries::blas {

/// Where element (row, column) of a matrix lies: in columns; in columns of a band, of which the row
/// `above` is the diagonal; in columns of a triangle, one after the other.
enum class Storage { full, band, packed };

/// op(M) of which a row has elements from `left` before the diagonal to `right` behind it.
template <typename T>
struct Stored {
  Operand<T> operand;
  Storage storage = Storage::full;
  std::int64_t rows = 0, columns = 0;  // of M
  std::int64_t above = 0;
  std::int64_t left = INT64_MAX / 4, right = INT64_MAX / 4;  // of op(M)
};

/// y = alpha op(M) x + beta y; y has `count` elements, x has `length`.
template <typename T>
cudaError_t launch_stored_product(const Stored<T>& matrix, std::int64_t count, std::int64_t length,
                                  Scalar<T> alpha, Vector<const T> x, Scalar<T> beta, Vector<T> y,
                                  cudaStream_t stream);
/// x becomes the solution of op(M) x' = x, M a triangle.
template <typename T>
cudaError_t launch_stored_solve(const Stored<T>& matrix, std::int64_t count, Vector<T> x,
                                cudaStream_t stream);

/// A += alpha x y^T, or y^H if Hermitian, in a triangle; if `both`, alpha y x^T, too, with alpha
/// conjugated if Hermitian.
template <typename Scale, typename T>
cudaError_t launch_outer(Storage storage, Triangle triangle, bool hermitian, bool both,
                         std::int64_t n, Scalar<Scale> alpha, Vector<const T> x, Vector<const T> y,
                         T* a, std::int64_t lead, cudaStream_t stream);

/// A triangle of n columns from packed to full, or back.
template <typename T>
cudaError_t launch_unpack(Triangle triangle, std::int64_t n, const T* packed, T* a,
                          std::int64_t lead, cudaStream_t stream);
template <typename T>
cudaError_t launch_pack(Triangle triangle, std::int64_t n, const T* a, std::int64_t lead, T* packed,
                        cudaStream_t stream);

}  // namespace gridspan::libraries::blas
