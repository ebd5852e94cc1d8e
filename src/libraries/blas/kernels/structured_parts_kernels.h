// Products of symmetric, Hermitian and triangular matrices as products of general ones: the
// kernels. Included by a file for each group of types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/gemm.h"
#include "libraries/blas/kernels/structured_kernels.h"
#include "libraries/blas/kernels/structured_parts.h"

namespace gridspan::libraries::blas {
namespace detail {

/// A thread copies this many rows and columns: so it reads along lines of memory whichever triangle
/// is stored.
constexpr int copied_tile = 4;

template <typename T>
__global__ void full_symmetric(int n, const T* from, int lead, bool stores_lower, bool hermitian,
                               T* to) {
  const int first_row = (blockIdx.x * blockDim.x + threadIdx.x) * copied_tile;
  const int first_column = (blockIdx.y * blockDim.y + threadIdx.y) * copied_tile;
#pragma unroll
  for (int j = first_column; j < first_column + copied_tile; ++j)
#pragma unroll
    for (int i = first_row; i < first_row + copied_tile; ++i) {
      if (i >= n || j >= n) continue;
      T value;
      if (stores_lower ? i >= j : i <= j)
        value = from[i + j * lead];
      else
        value = conjugate(from[j + i * lead], hermitian);
      to[i + j * n] = hermitian && i == j ? real_part(value) : value;
    }
}

/// Of a triangular matrix, transposed: (i, j) of the result is (j, i).
template <typename T>
__global__ void full_triangular(int n, const T* from, int lead, bool stores_lower, bool conjugates,
                                bool has_unit_diagonal, T* to) {
  const int first_row = (blockIdx.x * blockDim.x + threadIdx.x) * copied_tile;
  const int first_column = (blockIdx.y * blockDim.y + threadIdx.y) * copied_tile;
#pragma unroll
  for (int j = first_column; j < first_column + copied_tile; ++j)
#pragma unroll
    for (int i = first_row; i < first_row + copied_tile; ++i)
      if (i < n && j < n && (stores_lower ? j >= i : j <= i) && !(has_unit_diagonal && i == j))
        to[i + j * n] = conjugate(from[j + i * lead], conjugates);
}

template <typename T>
__global__ void triangle_sums(int n, const T* sums, int lead, T beta_value, const T* beta_place,
                              T* c, int ldc, bool is_lower, bool has_real_diagonal) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n || (is_lower ? i < j : i > j)) return;
  const T beta = beta_place ? *beta_place : beta_value;
  const bool is_real = has_real_diagonal && i == j;
  T result = sums[i + j * lead];
  if (!is_zero(beta)) {
    const T old = c[i + j * ldc];
    result = added(result, beta, is_real ? real_part(old) : old);
  }
  c[i + j * ldc] = is_real ? real_part(result) : result;
}

/// Rows of a block are a block's threads along x. The diagonal comes where it is in the order of k.
template <typename T, bool is_lower>
__global__ void diagonal_blocks_left(int m, int n, T alpha_value, const T* alpha_place, const T* a,
                                     int lda, bool has_unit_diagonal, const T* b, int ldb, T* c,
                                     int ldc) {
  const int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  const T alpha = alpha_place ? *alpha_place : alpha_value;
  const int end = first + (int)blockDim.x < m ? first + (int)blockDim.x : m;
  T result = zero<T>();
  if (!is_zero(alpha)) {
    const T own = b[i + j * ldb];
    const T diagonal = has_unit_diagonal ? own : product(a[i + i * lda], own);
    T sum = is_lower ? zero<T>() : diagonal;
    for (int l = first; l < end; ++l)
      if (is_lower ? l < i : l > i) sum = added(sum, a[i + l * lda], b[l + j * ldb]);
    result = product(alpha, is_lower ? total(sum, diagonal) : sum);
  }
  if (is_lower && first > 0) result = total(c[i + j * ldc], result);
  c[i + j * ldc] = result;
}

/// Columns of a block are those of a grid's block in z.
template <typename T>
__global__ void diagonal_blocks_right(int m, int n, T alpha_value, const T* alpha_place, const T* a,
                                      int lda, bool is_lower, bool has_unit_diagonal, const T* b,
                                      int ldb, T* c, int ldc) {
  const int first = blockIdx.z * (int)diagonal_block, i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = first + blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  const T alpha = alpha_place ? *alpha_place : alpha_value;
  const int end = first + (int)diagonal_block < n ? first + (int)diagonal_block : n;
  T result = zero<T>();
  if (!is_zero(alpha)) {
    const T own = b[i + j * ldb];
    const T diagonal = has_unit_diagonal ? own : product(own, a[j + j * lda]);
    T sum = is_lower ? diagonal : zero<T>();
    for (int l = is_lower ? j + 1 : first; l < (is_lower ? end : j); ++l)
      sum = added(sum, b[i + l * ldb], a[l + j * lda]);
    result = product(alpha, is_lower ? sum : total(sum, diagonal));
  }
  if (!is_lower && first > 0) result = total(c[i + j * ldc], result);
  c[i + j * ldc] = result;
}

template <typename T, typename Scale>
__global__ void scalar_as(const Scale* from, bool conjugates, T* to) {
  *to = conjugate(number<T>(*from), conjugates);
}

inline dim3 grid_of_tiles(std::int64_t rows, std::int64_t columns) {
  return {static_cast<unsigned>((rows + tile_rows - 1) / tile_rows),
          static_cast<unsigned>((columns + tile_columns - 1) / tile_columns)};
}

}  // namespace detail

template <typename T>
cudaError_t launch_full(std::int64_t rows, std::int64_t columns, const Operand<T>& from, T* to,
                        cudaStream_t stream) {
  if (from.structure == Structure::general)
    return launch_transposed(rows, columns, from.base, from.lead, from.conjugates, to, stream);
  const dim3 block(16, 4);
  const auto blocks = [&](unsigned size) {
    return static_cast<unsigned>((rows + size - 1) / size);
  };
  const dim3 grid(blocks(block.x * detail::copied_tile), blocks(block.y * detail::copied_tile));
  const bool stores_lower = from.stored == Triangle::lower;
  if (from.structure == Structure::triangular)
    return start_kernel(detail::full_triangular<T>, grid, block, stream, rows, from.base, from.lead,
                        stores_lower, from.conjugates, from.has_unit_diagonal, to);
  return start_kernel(detail::full_symmetric<T>, grid, block, stream, rows, from.base, from.lead,
                      stores_lower, from.structure == Structure::hermitian, to);
}

template <typename T>
cudaError_t launch_triangle(std::int64_t n, const T* sums, std::int64_t lead, Scalar<T> beta, T* c,
                            std::int64_t ldc, Triangle triangle, bool has_real_diagonal,
                            cudaStream_t stream) {
  return start_kernel(detail::triangle_sums<T>, detail::grid_of_tiles(n, n),
                      dim3(detail::tile_rows, detail::tile_columns), stream, n, sums, lead,
                      beta.value, beta.place, c, ldc, triangle == Triangle::lower,
                      has_real_diagonal);
}

template <typename T>
cudaError_t launch_diagonal_blocks(bool from_left, std::int64_t m, std::int64_t n, Scalar<T> alpha,
                                   const Operand<T>& triangular, const T* b, std::int64_t ldb, T* c,
                                   std::int64_t ldc, cudaStream_t stream) {
  const auto blocks = [](std::int64_t count) {
    return static_cast<unsigned>((count + diagonal_block - 1) / diagonal_block);
  };
  const unsigned columns = detail::tile_columns;
  const dim3 grid = from_left ? dim3(blocks(m), static_cast<unsigned>((n + columns - 1) / columns))
                              : dim3(blocks(m), diagonal_block / columns, blocks(n));
  const dim3 block(diagonal_block, columns);
  const bool is_lower = triangular.stored == Triangle::lower;
  if (!from_left)
    return start_kernel(detail::diagonal_blocks_right<T>, grid, block, stream, m, n, alpha.value,
                        alpha.place, triangular.base, triangular.lead, is_lower,
                        triangular.has_unit_diagonal, b, ldb, c, ldc);
  return start_kernel(
      is_lower ? detail::diagonal_blocks_left<T, true> : detail::diagonal_blocks_left<T, false>,
      grid, block, stream, m, n, alpha.value, alpha.place, triangular.base, triangular.lead,
      triangular.has_unit_diagonal, b, ldb, c, ldc);
}

template <typename T, typename Scale>
cudaError_t launch_scalar(const Scale* from, bool conjugates, T* to, cudaStream_t stream) {
  return start_kernel(detail::scalar_as<T, Scale>, 1, 1, stream, from, conjugates, to);
}

#define GRIDSPAN_STRUCTURED_PARTS(T)                                                            \
  template cudaError_t launch_full<T>(std::int64_t, std::int64_t, const Operand<T>&, T*,        \
                                      cudaStream_t);                                            \
  template cudaError_t launch_triangle<T>(std::int64_t, const T*, std::int64_t, Scalar<T>, T*,  \
                                          std::int64_t, Triangle, bool, cudaStream_t);          \
  template cudaError_t launch_diagonal_blocks<T>(bool, std::int64_t, std::int64_t, Scalar<T>,   \
                                                 const Operand<T>&, const T*, std::int64_t, T*, \
                                                 std::int64_t, cudaStream_t);                   \
  template cudaError_t launch_scalar<T, T>(const T*, bool, T*, cudaStream_t);
/// Of complex numbers, from real ones.
#define GRIDSPAN_STRUCTURED_PARTS_OF_REAL(T, R) \
  GRIDSPAN_STRUCTURED_PARTS(T)                  \
  template cudaError_t launch_scalar<T, R>(const R*, bool, T*, cudaStream_t);

}  // namespace gridspan::libraries::blas
