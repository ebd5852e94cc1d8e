// Symmetric, Hermitian and triangular matrices, sums of matrices: the kernels. Included by a file
// for each group of types. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/numbers.h"
#include "libraries/blas/kernels/structured.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>
#include <type_traits>

namespace gridspan::libraries::blas {
namespace detail {

constexpr unsigned tile_rows = 32, tile_columns = 8;

__device__ inline float quotient(float a, float b) { return a / b; }
__device__ inline double quotient(double a, double b) { return a / b; }
__device__ inline cuComplex quotient(cuComplex a, cuComplex b) { return cuCdivf(a, b); }
__device__ inline cuDoubleComplex quotient(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCdiv(a, b);
}
template <typename T>
__device__ inline T negative(T x) {
  return -x;
}
__device__ inline cuComplex negative(cuComplex x) { return make_cuComplex(-x.x, -x.y); }
__device__ inline cuDoubleComplex negative(cuDoubleComplex x) {
  return make_cuDoubleComplex(-x.x, -x.y);
}
/// A real number as one of T's.
template <typename T, typename Scale>
__device__ inline T number(Scale x) {
  if constexpr (std::is_same_v<T, Scale>)
    return x;
  else
    return T{x, 0};
}
template <typename T>
__device__ inline T real_part(T x) {
  return x;
}
__device__ inline cuComplex real_part(cuComplex x) { return make_cuComplex(x.x, 0); }
__device__ inline cuDoubleComplex real_part(cuDoubleComplex x) {
  return make_cuDoubleComplex(x.x, 0);
}

/// What is outside of the stored triangle is not read.
template <typename T>
__device__ inline T element(const T* base, long long lead, bool transposed, bool conjugates,
                            Structure structure, Triangle stored, bool has_unit_diagonal,
                            long long i, long long j) {
  long long row = transposed ? j : i, column = transposed ? i : j;
  if (structure == Structure::general) return conjugate(base[row + column * lead], conjugates);
  const bool is_stored = stored == Triangle::lower ? row >= column : row <= column;
  if (structure == Structure::triangular) {
    if (!is_stored) return zero<T>();
    if (row == column && has_unit_diagonal) return one<T>();
    return conjugate(base[row + column * lead], conjugates);
  }
  const T value = is_stored ? base[row + column * lead] : base[column + row * lead];
  if (structure == Structure::symmetric) return value;
  return row == column ? real_part(value) : conjugate(value, !is_stored);
}

#define GRIDSPAN_OPERAND(name)                                                                 \
  const T *name##_base, long long name##_lead, bool name##_transposed, bool name##_conjugates, \
      Structure name##_structure, Triangle name##_stored, bool name##_unit
#define GRIDSPAN_ELEMENT(name, i, j)                                                        \
  element(name##_base, name##_lead, name##_transposed, name##_conjugates, name##_structure, \
          name##_stored, name##_unit, i, j)
#define GRIDSPAN_PASS(x) \
  x.base, x.lead, x.transposed, x.conjugates, x.structure, x.stored, x.has_unit_diagonal

template <typename Scale, typename BetaScale, typename T>
__global__ void structured(long long m, long long n, long long k, Scale alpha_value,
                           const Scale* alpha_place, bool conjugates_alpha, GRIDSPAN_OPERAND(left),
                           GRIDSPAN_OPERAND(right), BetaScale beta_value,
                           const BetaScale* beta_place, T* c, long long c_row, long long c_column,
                           Triangle triangle, bool has_real_diagonal, long long first_column) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  if ((triangle == Triangle::lower && i < j) || (triangle == Triangle::upper && i > j)) return;
  const T alpha = conjugate(number<T>(alpha_place ? *alpha_place : alpha_value), conjugates_alpha);
  const T beta = number<T>(beta_place ? *beta_place : beta_value);
  T result = zero<T>();
  if (!is_zero(alpha)) {
    T sum = zero<T>();
    for (long long l = 0; l < k; ++l)
      sum = added(sum, GRIDSPAN_ELEMENT(left, i, l), GRIDSPAN_ELEMENT(right, l, j));
    result = product(alpha, sum);
  }
  T& place = c[i * c_row + j * c_column];
  const bool is_real = has_real_diagonal && i == j;
  if (!is_zero(beta)) result = added(result, beta, is_real ? real_part(place) : place);
  place = is_real ? real_part(result) : result;
}

/// A thread for each right-hand side.
template <typename T>
__global__ void solve(long long m, long long n, T alpha_value, const T* alpha_place,
                      GRIDSPAN_OPERAND(a), const T* const* a_array, bool forwards, T* b_base,
                      T* const* b_array, long long b_row, long long b_column,
                      long long first_system) {
  const long long j = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (j >= n) return;
  const long long z = first_system + blockIdx.z;
  if (a_array) a_base = a_array[z];
  T* const b = (b_array ? b_array[z] : b_base) + j * b_column;
  const T alpha = alpha_place ? *alpha_place : alpha_value;
  for (long long step = 0; step < m; ++step) {
    const long long i = forwards ? step : m - 1 - step;
    T value = zero<T>();
    if (!is_zero(alpha)) {
      value = product(alpha, b[i * b_row]);
      const long long begin = forwards ? 0 : i + 1, end = forwards ? i : m;
      for (long long l = begin; l < end; ++l)
        value = added(value, negative(GRIDSPAN_ELEMENT(a, i, l)), b[l * b_row]);
      if (!a_unit) value = quotient(value, GRIDSPAN_ELEMENT(a, i, i));
    }
    b[i * b_row] = value;
  }
}

template <typename T>
__global__ void geam(long long m, long long n, T alpha_value, const T* alpha_place, const T* a,
                     long long lda, bool a_transposed, bool a_conjugates, T beta_value,
                     const T* beta_place, const T* b, long long ldb, bool b_transposed,
                     bool b_conjugates, T* c, long long ldc, long long first_column) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  const T alpha = alpha_place ? *alpha_place : alpha_value;
  const T beta = beta_place ? *beta_place : beta_value;
  T result = zero<T>();
  if (!is_zero(alpha))
    result = product(alpha, conjugate(a[a_transposed ? j + i * lda : i + j * lda], a_conjugates));
  if (!is_zero(beta))
    result =
        added(result, beta, conjugate(b[b_transposed ? j + i * ldb : i + j * ldb], b_conjugates));
  c[i + j * ldc] = result;
}

template <typename T>
__global__ void dgmm(bool by_rows, long long m, long long n, const T* a, long long lda, const T* x,
                     long long x_step, T* c, long long ldc, long long first_column) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  c[i + j * ldc] = product(a[i + j * lda], x[(by_rows ? i : j) * x_step]);
}

/// `start` begins the kernel for the columns from its second argument on, with the grid that is its
/// first.
template <typename Start>
cudaError_t for_columns(std::int64_t m, std::int64_t n, Start start) {
  constexpr std::int64_t most = 65535 * static_cast<std::int64_t>(tile_columns);
  for (std::int64_t j = 0; j < n; j += most) {
    const std::int64_t columns = std::min(n - j, most);
    const dim3 grid(static_cast<unsigned>((m + tile_rows - 1) / tile_rows),
                    static_cast<unsigned>((columns + tile_columns - 1) / tile_columns));
    if (const cudaError_t error = start(grid, j); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace detail

template <typename Scale, typename BetaScale, typename T>
cudaError_t launch_structured(const StructuredProduct<Scale, T>& p, Scalar<BetaScale> beta) {
  return detail::for_columns(p.m, p.n, [&](dim3 grid, std::int64_t j) {
    return start_kernel(detail::structured<Scale, BetaScale, T>, grid,
                        dim3(detail::tile_rows, detail::tile_columns), p.stream, p.m, p.n, p.k,
                        p.alpha.value, p.alpha.place, p.conjugates_alpha, GRIDSPAN_PASS(p.left),
                        GRIDSPAN_PASS(p.right), beta.value, beta.place, p.c, p.c_row, p.c_column,
                        p.triangle, p.has_real_diagonal, j);
  });
}

template <typename T>
cudaError_t launch_solve(const System<T>& s) {
  // Of a transposed triangle the other one is what counts.
  const bool forwards = (s.a.stored == Triangle::lower) != s.a.transposed;
  constexpr std::int64_t most = 65535;
  for (std::int64_t z = 0; z < s.batch_count; z += most) {
    const dim3 grid(static_cast<unsigned>((s.n + 127) / 128), 1,
                    static_cast<unsigned>(std::min(s.batch_count - z, most)));
    const cudaError_t error = start_kernel(
        detail::solve<T>, grid, 128, s.stream, s.m, s.n, s.alpha.value, s.alpha.place,
        GRIDSPAN_PASS(s.a), s.a_array, forwards, s.b, s.b_array, s.b_row, s.b_column, z);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

template <typename T>
cudaError_t launch_geam(std::int64_t m, std::int64_t n, Scalar<T> alpha, Operand<T> a,
                        Scalar<T> beta, Operand<T> b, T* c, std::int64_t ldc, cudaStream_t stream) {
  return detail::for_columns(m, n, [&](dim3 grid, std::int64_t j) {
    return start_kernel(detail::geam<T>, grid, dim3(detail::tile_rows, detail::tile_columns),
                        stream, m, n, alpha.value, alpha.place, a.base, a.lead, a.transposed,
                        a.conjugates, beta.value, beta.place, b.base, b.lead, b.transposed,
                        b.conjugates, c, ldc, j);
  });
}

template <typename T>
cudaError_t launch_dgmm(bool by_rows, std::int64_t m, std::int64_t n, const T* a, std::int64_t lda,
                        Vector<const T> x, T* c, std::int64_t ldc, cudaStream_t stream) {
  return detail::for_columns(m, n, [&](dim3 grid, std::int64_t j) {
    return start_kernel(detail::dgmm<T>, grid, dim3(detail::tile_rows, detail::tile_columns),
                        stream, by_rows, m, n, a, lda, x.start, x.step, c, ldc, j);
  });
}

#undef GRIDSPAN_OPERAND
#undef GRIDSPAN_ELEMENT
#undef GRIDSPAN_PASS

#define GRIDSPAN_STRUCTURED(T)                                                                  \
  template cudaError_t launch_structured<T, T, T>(const StructuredProduct<T, T>&, Scalar<T>);   \
  template cudaError_t launch_solve<T>(const System<T>&);                                       \
  template cudaError_t launch_geam<T>(std::int64_t, std::int64_t, Scalar<T>, Operand<T>,        \
                                      Scalar<T>, Operand<T>, T*, std::int64_t, cudaStream_t);   \
  template cudaError_t launch_dgmm<T>(bool, std::int64_t, std::int64_t, const T*, std::int64_t, \
                                      Vector<const T>, T*, std::int64_t, cudaStream_t);
/// Of complex numbers with real alpha, beta.
#define GRIDSPAN_HERMITIAN(T, R)                                                              \
  GRIDSPAN_STRUCTURED(T)                                                                      \
  template cudaError_t launch_structured<R, R, T>(const StructuredProduct<R, T>&, Scalar<R>); \
  template cudaError_t launch_structured<T, R, T>(const StructuredProduct<T, T>&, Scalar<R>);

}  // namespace gridspan::libraries::blas
