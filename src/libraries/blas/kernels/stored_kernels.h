// Matrices in full, in bands or packed, and vectors: the kernels. Included by a file for each group
// of types. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/stored.h"
#include "libraries/blas/kernels/structured_kernels.h"

namespace gridspan::libraries::blas {
namespace detail {

/// As kernels take it: plain numbers.
template <typename T>
struct StoredMatrix {
  const T* base;
  long long lead, rows, above, left, right;
  int storage, structure, stored;
  bool transposed, conjugates, has_unit_diagonal;
};

__device__ inline long long place_in(int storage, int stored, long long lead, long long rows,
                                     long long above, long long row, long long column) {
  if (storage == static_cast<int>(Storage::full)) return row + column * lead;
  if (storage == static_cast<int>(Storage::band)) return above + row - column + column * lead;
  if (stored == static_cast<int>(Triangle::lower))
    return row + column * (2 * rows - column - 1) / 2;
  return row + column * (column + 1) / 2;
}

/// Of a row's elements within reach; what is not stored is not read.
template <typename T>
__device__ inline T stored_element(const StoredMatrix<T>& m, long long i, long long j) {
  long long row = m.transposed ? j : i, column = m.transposed ? i : j;
  bool conjugates = m.conjugates;
  if (m.structure == static_cast<int>(Structure::triangular)) {
    if (row == column && m.has_unit_diagonal) return one<T>();
  } else if (m.structure != static_cast<int>(Structure::general)) {
    const bool is_stored =
        m.stored == static_cast<int>(Triangle::lower) ? row >= column : row <= column;
    if (!is_stored) {
      const long long kept = row;
      row = column;
      column = kept;
    }
    conjugates = m.structure == static_cast<int>(Structure::hermitian) && !is_stored;
  }
  const T value = m.base[place_in(m.storage, m.stored, m.lead, m.rows, m.above, row, column)];
  if (m.structure == static_cast<int>(Structure::hermitian) && row == column)
    return real_part(value);
  return conjugate(value, conjugates);
}

template <typename T>
__global__ void stored_product(StoredMatrix<T> m, long long count, long long length, T alpha_value,
                               const T* alpha_place, const T* x, long long x_step, T beta_value,
                               const T* beta_place, T* y, long long y_step) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= count) return;
  const T alpha = alpha_place ? *alpha_place : alpha_value;
  const T beta = beta_place ? *beta_place : beta_value;
  T result = zero<T>();
  if (!is_zero(alpha)) {
    const long long begin = i > m.left ? i - m.left : 0;
    const long long end = m.right < length - 1 - i ? i + m.right + 1 : length;
    T sum = zero<T>();
    for (long long l = begin; l < end; ++l)
      sum = added(sum, stored_element(m, i, l), x[l * x_step]);
    result = product(alpha, sum);
  }
  T& place = y[i * y_step];
  place = is_zero(beta) ? result : added(result, beta, place);
}

constexpr unsigned solving_threads = 128;

/// By one block: the unknowns in order, each subtracted from the equations that are left.
template <typename T>
__global__ void stored_solve(StoredMatrix<T> m, long long count, bool forwards, T* x,
                             long long step) {
  for (long long turn = 0; turn < count; ++turn) {
    const long long i = forwards ? turn : count - 1 - turn;
    if (!m.has_unit_diagonal) {
      if (threadIdx.x == 0) x[i * step] = quotient(x[i * step], stored_element(m, i, i));
      __syncthreads();
    }
    const T value = negative(x[i * step]);
    const long long reach = forwards ? m.left : m.right;
    const long long others = forwards ? count - 1 - i : i;
    const long long equations = reach < others ? reach : others;
    for (long long k = 1 + threadIdx.x; k <= equations; k += solving_threads) {
      const long long row = forwards ? i + k : i - k;
      x[row * step] = added(x[row * step], stored_element(m, row, i), value);
    }
    __syncthreads();
  }
}

template <typename Scale, typename T>
__global__ void outer(int storage, int triangle, bool hermitian, bool both, long long n,
                      Scale alpha_value, const Scale* alpha_place, const T* x, long long x_step,
                      const T* y, long long y_step, T* a, long long lead, long long first_column) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const bool is_lower = triangle == static_cast<int>(Triangle::lower);
  if (i >= n || j >= n || (is_lower ? i < j : i > j)) return;
  const T alpha = number<T>(alpha_place ? *alpha_place : alpha_value);
  if (is_zero(alpha)) return;
  T& place = a[place_in(storage, triangle, lead, n, 0, i, j)];
  T result = added(place, product(alpha, x[i * x_step]), conjugate(y[j * y_step], hermitian));
  if (both)
    result = added(result, product(conjugate(alpha, hermitian), y[i * y_step]),
                   conjugate(x[j * x_step], hermitian));
  place = hermitian && i == j ? real_part(result) : result;
}

template <typename T>
__global__ void between_packed(bool unpacks, int triangle, long long n, T* a, long long lead,
                               T* packed, long long first_column) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const bool is_lower = triangle == static_cast<int>(Triangle::lower);
  if (i >= n || j >= n || (is_lower ? i < j : i > j)) return;
  T& in_packed = packed[place_in(static_cast<int>(Storage::packed), triangle, 0, n, 0, i, j)];
  T& in_full = a[i + j * lead];
  if (unpacks)
    in_full = in_packed;
  else
    in_packed = in_full;
}

template <typename T>
StoredMatrix<T> plain(const Stored<T>& m) {
  return {m.operand.base,
          m.operand.lead,
          m.rows,
          m.above,
          m.left,
          m.right,
          static_cast<int>(m.storage),
          static_cast<int>(m.operand.structure),
          static_cast<int>(m.operand.stored),
          m.operand.transposed,
          m.operand.conjugates,
          m.operand.has_unit_diagonal};
}

template <typename T>
cudaError_t launch_between_packed(bool unpacks, Triangle triangle, std::int64_t n, T* a,
                                  std::int64_t lead, T* packed, cudaStream_t stream) {
  return for_columns(n, n, [&](dim3 grid, std::int64_t j) {
    return start_kernel(between_packed<T>, grid, dim3(tile_rows, tile_columns), stream, unpacks,
                        static_cast<int>(triangle), n, a, lead, packed, j);
  });
}

}  // namespace detail

template <typename T>
cudaError_t launch_stored_product(const Stored<T>& matrix, std::int64_t count, std::int64_t length,
                                  Scalar<T> alpha, Vector<const T> x, Scalar<T> beta, Vector<T> y,
                                  cudaStream_t stream) {
  return start_kernel(detail::stored_product<T>, dim3(static_cast<unsigned>((count + 127) / 128)),
                      128, stream, detail::plain(matrix), count, length, alpha.value, alpha.place,
                      x.start, x.step, beta.value, beta.place, y.start, y.step);
}

template <typename T>
cudaError_t launch_stored_solve(const Stored<T>& matrix, std::int64_t count, Vector<T> x,
                                cudaStream_t stream) {
  const bool forwards = (matrix.operand.stored == Triangle::lower) != matrix.operand.transposed;
  return start_kernel(detail::stored_solve<T>, 1, detail::solving_threads, stream,
                      detail::plain(matrix), count, forwards, x.start, x.step);
}

template <typename Scale, typename T>
cudaError_t launch_outer(Storage storage, Triangle triangle, bool hermitian, bool both,
                         std::int64_t n, Scalar<Scale> alpha, Vector<const T> x, Vector<const T> y,
                         T* a, std::int64_t lead, cudaStream_t stream) {
  return detail::for_columns(n, n, [&](dim3 grid, std::int64_t j) {
    return start_kernel(detail::outer<Scale, T>, grid,
                        dim3(detail::tile_rows, detail::tile_columns), stream,
                        static_cast<int>(storage), static_cast<int>(triangle), hermitian, both, n,
                        alpha.value, alpha.place, x.start, x.step, y.start, y.step, a, lead, j);
  });
}

template <typename T>
cudaError_t launch_unpack(Triangle triangle, std::int64_t n, const T* packed, T* a,
                          std::int64_t lead, cudaStream_t stream) {
  return detail::launch_between_packed(true, triangle, n, a, lead, const_cast<T*>(packed), stream);
}
template <typename T>
cudaError_t launch_pack(Triangle triangle, std::int64_t n, const T* a, std::int64_t lead, T* packed,
                        cudaStream_t stream) {
  return detail::launch_between_packed(false, triangle, n, const_cast<T*>(a), lead, packed, stream);
}

#define GRIDSPAN_OUTER(Scale, T)                                                                   \
  template cudaError_t launch_outer<Scale, T>(Storage, Triangle, bool, bool, std::int64_t,         \
                                              Scalar<Scale>, Vector<const T>, Vector<const T>, T*, \
                                              std::int64_t, cudaStream_t);
#define GRIDSPAN_STORED(T)                                                                        \
  template cudaError_t launch_stored_product<T>(const Stored<T>&, std::int64_t, std::int64_t,     \
                                                Scalar<T>, Vector<const T>, Scalar<T>, Vector<T>, \
                                                cudaStream_t);                                    \
  template cudaError_t launch_stored_solve<T>(const Stored<T>&, std::int64_t, Vector<T>,          \
                                              cudaStream_t);                                      \
  template cudaError_t launch_unpack<T>(Triangle, std::int64_t, const T*, T*, std::int64_t,       \
                                        cudaStream_t);                                            \
  template cudaError_t launch_pack<T>(Triangle, std::int64_t, const T*, std::int64_t, T*,         \
                                      cudaStream_t);                                              \
  GRIDSPAN_OUTER(T, T)

}  // namespace gridspan::libraries::blas
