// Sparse matrices: incomplete factors, products of two. Included by a file for each element type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/kernels/heap_sort.h"
#include "libraries/sparse/kernels/widths.h"

namespace gridspan::libraries::sparse {
namespace detail {

/// The first element of the row in a column of at least `column`; columns are in order.
template <typename T, typename Offset, typename Index>
__device__ inline long long first_from(const TypedRows<T, Offset, Index>& a, long long row,
                                       long long column) {
  long long first = a.start(row);
  for (long long rest = a.start(row + 1) - first; rest > 0;) {
    const long long half = rest / 2;
    const bool is_before = a.column(first + half) < column;
    first = is_before ? first + half + 1 : first;
    rest = is_before ? rest - half - 1 : half;
  }
  return first;
}

__device__ inline double magnitude(float x) { return fabsf(x); }
__device__ inline double magnitude(double x) { return fabs(x); }
__device__ inline double magnitude(cuComplex x) { return cuCabsf(x); }
__device__ inline double magnitude(cuDoubleComplex x) { return cuCabs(x); }

/// Rows one after the other: those above are done when a row begins (Y. Saad, Iterative methods for
/// sparse linear systems, 2003, algorithm 10.4).
template <typename T>
__global__ void incomplete_lu(TypedRows<T, int, int> a, bool numeric, Boost<T> boost, T* values,
                              int* pivot) {
  *pivot = -1;
  for (long long row = 0; row < a.rows; ++row) {
    const long long end = a.start(row + 1), diagonal = first_from(a, row, row);
    const bool has_diagonal = diagonal < end && a.column(diagonal) == row;
    for (long long k = a.start(row); numeric && k < diagonal; ++k) {
      const long long above = a.column(k), end_above = a.start(above + 1);
      long long m = first_from(a, above, above);
      const bool is_there = m < end_above && a.column(m) == above;
      const T factor = quotient(values[k], is_there ? values[m] : blas::zero<T>());
      values[k] = factor;
      for (long long n = k + 1; m < end_above; ++m) {
        while (n < end && a.column(n) < a.column(m)) ++n;
        if (n < end && a.column(n) == a.column(m))
          values[n] = difference(values[n], blas::product(factor, values[m]));
      }
    }
    if (numeric && has_diagonal && boost.is_on &&
        magnitude(values[diagonal]) <= value_of(boost.tolerance))
      values[diagonal] = value_of(boost.value);
    const bool is_zero = !has_diagonal || (numeric && blas::is_zero(values[diagonal]));
    if (is_zero && *pivot < 0) *pivot = static_cast<int>(row) + a.base;
  }
}

template <typename T>
__device__ inline bool is_positive(T x) {
  return x > 0;
}
__device__ inline bool is_positive(cuComplex x) { return x.x > 0; }
__device__ inline bool is_positive(cuDoubleComplex x) { return x.x > 0; }
__device__ inline float root(float x) { return sqrtf(x); }
__device__ inline double root(double x) { return sqrt(x); }
__device__ inline cuComplex root(cuComplex x) { return make_cuComplex(sqrtf(x.x), 0); }
__device__ inline cuDoubleComplex root(cuDoubleComplex x) {
  return make_cuDoubleComplex(sqrt(x.x), 0);
}

/// The same of rows: row `row` of L comes from those above (Saad, chapter 10.3.2, of a symmetric
/// matrix).
template <typename T>
__global__ void incomplete_cholesky(TypedRows<T, int, int> a, bool numeric, T* values, int* pivot) {
  *pivot = -1;
  for (long long row = 0; row < a.rows; ++row) {
    const long long start = a.start(row), end = a.start(row + 1);
    const long long diagonal = first_from(a, row, row);
    const bool has_diagonal = diagonal < end && a.column(diagonal) == row;
    T rest = has_diagonal ? values[diagonal] : blas::zero<T>();
    for (long long k = start; numeric && k < diagonal; ++k) {
      const long long above = a.column(k), end_above = a.start(above + 1);
      T sum = values[k];
      long long m = a.start(above);
      for (long long n = start; n < k; ++n) {
        while (m < end_above && a.column(m) < a.column(n)) ++m;
        if (m < end_above && a.column(m) == a.column(n))
          sum = difference(sum, blas::product(values[n], blas::conjugate(values[m], true)));
      }
      while (m < end_above && a.column(m) < above) ++m;
      const bool is_there = m < end_above && a.column(m) == above;
      values[k] = quotient(sum, is_there ? values[m] : blas::zero<T>());
      rest = difference(rest, blas::product(values[k], blas::conjugate(values[k], true)));
    }
    if (numeric && has_diagonal) values[diagonal] = root(rest);
    const bool is_zero = !has_diagonal || (numeric && !is_positive(rest));
    if (is_zero && *pivot < 0) *pivot = static_cast<int>(row) + a.base;
  }
}

template <typename T>
__global__ void add(TypedRows<T, int, int> a, Scalar<T> alpha, TypedRows<T, int, int> b,
                    Scalar<T> beta, const int* offsets, int base, int* indices, T* values) {
  const long long row = own_number();
  if (row >= a.rows) return;
  long long to = offsets[row] - base;
  for_union(a, b, row, [&](long long column, long long k, long long m) {
    T sum = k < 0 ? blas::zero<T>() : blas::product(value_of(alpha), a.value(k));
    if (m >= 0) sum = blas::added(sum, value_of(beta), b.value(m));
    indices[to] = static_cast<int>(column) + base;
    values[to] = sum;
    ++to;
  });
}

template <typename T, typename Offset, typename Index>
__global__ void multiply(TypedRows<T, Offset, Index> a, TypedRows<T, Offset, Index> b,
                         const long long* offsets, long long* keys, T* values, long long* counts) {
  const long long row = own_number();
  if (row >= a.rows) return;
  const long long start = offsets[row];
  long long count = 0;
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k)
    for (long long m = b.start(a.column(k)), last = b.start(a.column(k) + 1); m < last; ++m) {
      keys[start + count] = b.column(m) << 32 | count;
      values[start + count] = blas::product(a.value(k), b.value(m));
      ++count;
    }
  sort(keys + start, count);
  long long different = 0;
  for (long long i = 0; i < count; ++i)
    different += i == 0 || keys[start + i] >> 32 != keys[start + i - 1] >> 32;
  counts[row + 1] = different;
  if (row == 0) counts[0] = 0;
}

template <typename T, typename Offset, typename Index>
__global__ void add_up(const long long* product_offsets, const long long* keys, const T* products,
                       const long long* starts, long long rows, Scalar<T> alpha, Scalar<T> beta,
                       int base, Offset* offsets, Index* indices, T* values) {
  const long long row = own_number();
  if (row > rows) return;
  if (indices) offsets[row] = static_cast<Offset>(starts[row] + base);
  if (row == rows) return;
  const long long start = product_offsets[row], end = product_offsets[row + 1];
  long long to = starts[row];
  for (long long i = start; i < end; ++to) {
    const long long column = keys[i] >> 32;
    T sum = blas::zero<T>();
    for (; i < end && keys[i] >> 32 == column; ++i)
      sum = blas::added(sum, blas::one<T>(), products[start + (keys[i] & 0xFFFFFFFF)]);
    if (indices) indices[to] = static_cast<Index>(column + base);
    if (values) values[to] = combined(value_of(alpha), sum, value_of(beta), &values[to]);
  }
}

}  // namespace detail

template <typename T>
cudaError_t launch_incomplete_lu(const Rows& a, bool numeric, Boost<T> boost, T* values, int* pivot,
                                 cudaStream_t stream) {
  return start_kernel(detail::incomplete_lu<T>, dim3(1), dim3(1), stream, TypedRows<T, int, int>(a),
                      numeric, boost, values, pivot);
}

template <typename T>
cudaError_t launch_incomplete_cholesky(const Rows& a, bool numeric, T* values, int* pivot,
                                       cudaStream_t stream) {
  return start_kernel(detail::incomplete_cholesky<T>, dim3(1), dim3(1), stream,
                      TypedRows<T, int, int>(a), numeric, values, pivot);
}

template <typename T>
cudaError_t launch_add(const Rows& a, Scalar<T> alpha, const Rows& b, Scalar<T> beta,
                       const int* offsets, int base, int* indices, T* values, cudaStream_t stream) {
  if (a.rows == 0) return cudaSuccess;
  using Typed = TypedRows<T, int, int>;
  return start_kernel(detail::add<T>, blocks_of(a.rows), dim3(block), stream, Typed(a), alpha,
                      Typed(b), beta, offsets, base, indices, values);
}

template <typename T>
cudaError_t launch_multiply(const Rows& a, const Rows& b, Products<T> products,
                            std::int64_t* counts, cudaStream_t stream) {
  if (a.rows == 0) return cudaMemsetAsync(counts, 0, sizeof *counts, stream);
  return with_widths(a, [&](auto offset, auto index) {
    using Typed = TypedRows<T, decltype(offset), decltype(index)>;
    return start_kernel(detail::multiply<T, decltype(offset), decltype(index)>, blocks_of(a.rows),
                        dim3(block), stream, Typed(a), Typed(b),
                        reinterpret_cast<const long long*>(products.offsets),
                        reinterpret_cast<long long*>(products.keys), products.values,
                        reinterpret_cast<long long*>(counts));
  });
}

template <typename T>
cudaError_t launch_add_up(Products<T> products, const std::int64_t* starts, Scalar<T> alpha,
                          Scalar<T> beta, const Rows& c, void* offsets, void* indices, T* values,
                          cudaStream_t stream) {
  return with_widths(c, [&](auto offset, auto index) {
    using Offset = decltype(offset);
    using Index = decltype(index);
    return start_kernel(detail::add_up<T, Offset, Index>, blocks_of(c.rows + 1), dim3(block),
                        stream, reinterpret_cast<const long long*>(products.offsets),
                        reinterpret_cast<const long long*>(products.keys), products.values,
                        reinterpret_cast<const long long*>(starts), c.rows, alpha, beta, c.base,
                        static_cast<Offset*>(offsets), static_cast<Index*>(indices), values);
  });
}

}  // namespace gridspan::libraries::sparse

#define GRIDSPAN_SPARSE_FACTORS(T)                                                               \
  template cudaError_t launch_incomplete_lu<T>(const Rows&, bool, Boost<T>, T*, int*,            \
                                               cudaStream_t);                                    \
  template cudaError_t launch_incomplete_cholesky<T>(const Rows&, bool, T*, int*, cudaStream_t); \
  template cudaError_t launch_add<T>(const Rows&, Scalar<T>, const Rows&, Scalar<T>, const int*, \
                                     int, int*, T*, cudaStream_t);                               \
  template cudaError_t launch_multiply<T>(const Rows&, const Rows&, Products<T>, std::int64_t*,  \
                                          cudaStream_t);                                         \
  template cudaError_t launch_add_up<T>(Products<T>, const std::int64_t*, Scalar<T>, Scalar<T>,  \
                                        const Rows&, void*, void*, T*, cudaStream_t);
