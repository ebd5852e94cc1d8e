// Sparse matrices and vectors with values: the kernels. Included by a file for each element type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/kernels/widths.h"

namespace gridspan::libraries::sparse {
namespace detail {

constexpr unsigned row_lanes = 32, rows_of_block = 8;
constexpr int columns_of_thread = 4;

/// B and C lie by rows: neighbouring threads have neighbouring columns of C, so that one walk along
/// a row of A serves them all.
template <typename T, typename Offset, typename Index>
__global__ void product_by_rows(TypedRows<T, Offset, Index> a, Scalar<T> alpha, const T* b,
                                long long leading_b, bool conjugates_b, Scalar<T> beta, T* c,
                                long long leading_c, int width) {
  const long long row = blockIdx.x * static_cast<long long>(blockDim.y) + threadIdx.y;
  const int column = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  if (row >= a.rows || column >= width) return;
  T sum = blas::zero<T>();
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k)
    sum = blas::added(sum, a.value(k),
                      blas::conjugate(b[a.column(k) * leading_b + column], conjugates_b));
  T* const to = &c[row * leading_c + column];
  *to = combined(value_of(alpha), sum, value_of(beta), to);
}

/// A thread for a few columns of a row. Those past the last are the last one again, and are not
/// stored. Whole rows of C beside each other, or whole columns, `leading` apart: a stride that is 1
/// is known to be so, and what a part writes is a box.
template <bool by_rows, typename T, typename Offset, typename Index>
__global__ void product(TypedRows<T, Offset, Index> a, Scalar<T> alpha, Dense<const T> b,
                        bool conjugates_b, Scalar<T> beta, T* c, long long leading, int width) {
  const long long row = own_number();
  if (row >= a.rows) return;
  const int first = static_cast<int>(blockIdx.y) * columns_of_thread;
  T sums[columns_of_thread];
#pragma unroll
  for (T& sum : sums) sum = blas::zero<T>();
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k) {
    const T value = a.value(k);
    const T* const from = b.start + a.column(k) * b.down;
#pragma unroll
    for (int j = 0; j < columns_of_thread; ++j) {
      const T other = from[(first + j < width ? first + j : width - 1) * b.right];
      sums[j] = blas::added(sums[j], value, blas::conjugate(other, conjugates_b));
    }
  }
#pragma unroll
  for (int j = 0; j < columns_of_thread; ++j) {
    const long long column = first + j;
    if (column >= width) return;
    T* const to = by_rows ? &c[row * leading + column] : &c[column * leading + row];
    *to = combined(value_of(alpha), sums[j], value_of(beta), to);
  }
}

/// A product with one column, side by side.
template <typename T, typename Offset, typename Index>
__global__ void vector_product(TypedRows<T, Offset, Index> a, Scalar<T> alpha, const T* x,
                               Scalar<T> beta, T* y) {
  const long long row = own_number();
  if (row >= a.rows) return;
  T sum = blas::zero<T>();
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k)
    sum = blas::added(sum, a.value(k), x[a.column(k)]);
  y[row] = combined(value_of(alpha), sum, value_of(beta), &y[row]);
}

template <typename T, typename Offset, typename Index>
__global__ void sampled_product(TypedRows<T, Offset, Index> c, T* values, Scalar<T> alpha,
                                Dense<const T> a, Dense<const T> b, long long depth,
                                Scalar<T> beta) {
  const long long row = own_number();
  if (row >= c.rows) return;
  for (long long k = c.start(row), end = c.start(row + 1); k < end; ++k) {
    T sum = blas::zero<T>();
    for (long long i = 0; i < depth; ++i)
      sum = blas::added(sum, a.start[row * a.down + i * a.right],
                        b.start[i * b.down + c.column(k) * b.right]);
    values[k] = combined(value_of(alpha), sum, value_of(beta), &values[k]);
  }
}

template <typename T, typename Offset, typename Index>
__global__ void solve(TypedRows<T, Offset, Index> a, bool is_upper, bool has_unit_diagonal,
                      Scalar<T> alpha, Dense<const T> b, Dense<T> x, long long width) {
  const long long column = own_number();
  if (column >= width) return;
  const T* const from = b.start + column * b.right;
  T* const to = x.start + column * x.right;
  for (long long step = 0; step < a.rows; ++step) {
    const long long row = is_upper ? a.rows - 1 - step : step;
    T rest = blas::product(value_of(alpha), from[row * b.down]);
    T diagonal = has_unit_diagonal ? blas::one<T>() : blas::zero<T>();
    for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k) {
      const long long at = a.column(k);
      if (at == row) {
        if (!has_unit_diagonal) diagonal = a.value(k);
      } else if ((at > row) == is_upper) {
        rest = difference(rest, blas::product(a.value(k), to[at * x.down]));
      }
    }
    to[row * x.down] = quotient(rest, diagonal);
  }
}

template <typename T, typename Offset, typename Index>
__global__ void to_dense(TypedRows<T, Offset, Index> a, Dense<T> dense) {
  const long long row = own_number();
  if (row >= a.rows) return;
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k)
    dense.start[row * dense.down + a.column(k) * dense.right] = a.value(k);
}

template <typename T, typename Offset>
__global__ void count(Dense<const T> dense, long long rows, long long columns, Offset* offsets) {
  const long long row = own_number();
  if (row >= rows) return;
  Offset found = 0;
  for (long long j = 0; j < columns; ++j)
    found += !blas::is_zero(dense.start[row * dense.down + j * dense.right]);
  offsets[row + 1] = found;
  if (row == 0) offsets[0] = 0;
}

template <typename T, typename Offset, typename Index>
__global__ void from_dense(Dense<const T> dense, TypedRows<T, Offset, Index> a, long long columns,
                           Index* indices, T* values) {
  const long long row = own_number();
  if (row >= a.rows) return;
  long long k = a.start(row);
  for (long long j = 0; j < columns; ++j) {
    const T value = dense.start[row * dense.down + j * dense.right];
    if (blas::is_zero(value)) continue;
    indices[k] = static_cast<Index>(j + a.base);
    values[k] = value;
    ++k;
  }
}

template <typename T, typename Offset, typename Index>
__global__ void pick(Dense<const T> dense, TypedRows<T, Offset, Index> a, T* values) {
  const long long row = own_number();
  if (row >= a.rows) return;
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k)
    values[k] = dense.start[row * dense.down + a.column(k) * dense.right];
}

template <typename T>
__global__ void scale(Scalar<T> beta, T* y, long long size) {
  const long long i = own_number();
  const T factor = value_of(beta);
  if (i < size) y[i] = blas::is_zero(factor) ? factor : blas::product(factor, y[i]);
}

template <typename T, typename Index>
__global__ void add_few(Scalar<T> alpha, const Index* indices, const T* values, long long count,
                        int base, T* y) {
  const long long k = own_number();
  if (k >= count) return;
  T& own = y[indices[k] - base];
  own = blas::added(own, value_of(alpha), values[k]);
}

template <typename T, typename Index>
__global__ void rotate(Scalar<T> c, Scalar<T> s, const Index* indices, T* values, long long count,
                       int base, T* y) {
  const long long k = own_number();
  if (k >= count) return;
  T& other = y[indices[k] - base];
  const T from = values[k], to = other;
  values[k] = blas::added(blas::product(value_of(c), from), value_of(s), to);
  other = difference(blas::product(value_of(c), to), blas::product(value_of(s), from));
}

template <typename T, typename Index>
__global__ void gather(const T* y, const Index* indices, T* values, long long count, int base) {
  const long long k = own_number();
  if (k < count) values[k] = y[indices[k] - base];
}

template <typename T, typename Index>
__global__ void scatter(const Index* indices, const T* values, long long count, int base, T* y) {
  const long long k = own_number();
  if (k < count) y[indices[k] - base] = values[k];
}

template <typename T, typename Index>
__global__ void dot(const Index* indices, const T* values, long long count, int base,
                    bool conjugates, const T* y, T* result) {
  T sum = blas::zero<T>();
  for (long long k = 0; k < count; ++k)
    sum = blas::added(sum, blas::conjugate(values[k], conjugates), y[indices[k] - base]);
  *result = sum;
}

/// As many lanes as a row has columns, up to 32.
inline dim3 block_by_rows(int width) {
  const unsigned lanes = width > 16 ? row_lanes : row_lanes / 2;
  return dim3(lanes, row_lanes * rows_of_block / lanes);
}

}  // namespace detail

template <typename T>
cudaError_t launch_product(const Rows& a, Scalar<T> alpha, Dense<const T> b, bool conjugates_b,
                           Scalar<T> beta, Dense<T> c, std::int64_t width, cudaStream_t stream) {
  if (a.rows == 0 || width == 0) return cudaSuccess;
  constexpr int most = 65535 * detail::columns_of_thread;  // blocks of a grid, along y
  if (width > most) {
    const cudaError_t error = launch_product(a, alpha, b, conjugates_b, beta, c, most, stream);
    if (error != cudaSuccess) return error;
    b.start += most * b.right;
    c.start += most * c.right;
    return launch_product(a, alpha, b, conjugates_b, beta, c, width - most, stream);
  }
  return with_widths(a, [&](auto offset, auto index) {
    using Offset = decltype(offset);
    using Index = decltype(index);
    const TypedRows<T, Offset, Index> rows(a);
    dim3 blocks = blocks_of(a.rows);
    if (width == 1 && b.down == 1 && c.down == 1 && !conjugates_b)
      return start_kernel(detail::vector_product<T, Offset, Index>, blocks, dim3(block), stream,
                          rows, alpha, b.start, beta, c.start);
    const int columns = static_cast<int>(width);
    if (b.right == 1 && c.right == 1 && width > 2) {
      const dim3 own_block = detail::block_by_rows(columns);
      return start_kernel(detail::product_by_rows<T, Offset, Index>,
                          dim3(blocks_for(a.rows, own_block.y), blocks_for(width, own_block.x)),
                          own_block, stream, rows, alpha, b.start, b.down, conjugates_b, beta,
                          c.start, c.down, columns);
    }
    blocks.y = blocks_for(width, detail::columns_of_thread);
    if (c.down == 1)
      return start_kernel(detail::product<false, T, Offset, Index>, blocks, dim3(block), stream,
                          rows, alpha, b, conjugates_b, beta, c.start, c.right, columns);
    return start_kernel(detail::product<true, T, Offset, Index>, blocks, dim3(block), stream, rows,
                        alpha, b, conjugates_b, beta, c.start, c.down, columns);
  });
}

template <typename T>
cudaError_t launch_sampled_product(const Rows& c, T* values, Scalar<T> alpha, Dense<const T> a,
                                   Dense<const T> b, std::int64_t depth, Scalar<T> beta,
                                   cudaStream_t stream) {
  if (c.rows == 0) return cudaSuccess;
  return with_widths(c, [&](auto offset, auto index) {
    using Typed = TypedRows<T, decltype(offset), decltype(index)>;
    return start_kernel(detail::sampled_product<T, decltype(offset), decltype(index)>,
                        blocks_of(c.rows), dim3(block), stream, Typed(c), values, alpha, a, b,
                        depth, beta);
  });
}

template <typename T>
cudaError_t launch_solve(const Rows& a, bool is_upper, bool has_unit_diagonal, Scalar<T> alpha,
                         Dense<const T> b, Dense<T> x, std::int64_t width, cudaStream_t stream) {
  if (a.rows == 0 || width == 0) return cudaSuccess;
  return with_widths(a, [&](auto offset, auto index) {
    using Typed = TypedRows<T, decltype(offset), decltype(index)>;
    return start_kernel(detail::solve<T, decltype(offset), decltype(index)>, blocks_of(width),
                        dim3(block), stream, Typed(a), is_upper, has_unit_diagonal, alpha, b, x,
                        width);
  });
}

template <typename T>
cudaError_t launch_to_dense(const Rows& a, Dense<T> dense, cudaStream_t stream) {
  if (a.rows == 0) return cudaSuccess;
  return with_widths(a, [&](auto offset, auto index) {
    using Typed = TypedRows<T, decltype(offset), decltype(index)>;
    return start_kernel(detail::to_dense<T, decltype(offset), decltype(index)>, blocks_of(a.rows),
                        dim3(block), stream, Typed(a), dense);
  });
}

template <typename T>
cudaError_t launch_count(Dense<const T> dense, std::int64_t rows, std::int64_t columns,
                         void* offsets, bool is_long, cudaStream_t stream) {
  return with_width(is_long, [&](auto zero) {
    using Offset = decltype(zero);
    if (rows == 0) return cudaMemsetAsync(offsets, 0, sizeof(Offset), stream);
    return start_kernel(detail::count<T, Offset>, blocks_of(rows), dim3(block), stream, dense, rows,
                        columns, static_cast<Offset*>(offsets));
  });
}

template <typename T>
cudaError_t launch_from_dense(Dense<const T> dense, const Rows& a, void* indices, T* values,
                              cudaStream_t stream) {
  if (a.rows == 0) return cudaSuccess;
  return with_widths(a, [&](auto offset, auto index) {
    using Index = decltype(index);
    using Typed = TypedRows<T, decltype(offset), Index>;
    return start_kernel(detail::from_dense<T, decltype(offset), Index>, blocks_of(a.rows),
                        dim3(block), stream, dense, Typed(a), a.columns,
                        static_cast<Index*>(indices), values);
  });
}

template <typename T>
cudaError_t launch_pick(Dense<const T> dense, const Rows& a, T* values, cudaStream_t stream) {
  if (a.rows == 0) return cudaSuccess;
  return with_widths(a, [&](auto offset, auto index) {
    using Typed = TypedRows<T, decltype(offset), decltype(index)>;
    return start_kernel(detail::pick<T, decltype(offset), decltype(index)>, blocks_of(a.rows),
                        dim3(block), stream, dense, Typed(a), values);
  });
}

template <typename T>
cudaError_t launch_axpby(Scalar<T> alpha, Few<const T> x, Scalar<T> beta, T* y, std::int64_t size,
                         cudaStream_t stream) {
  if (size == 0) return cudaSuccess;
  const cudaError_t error =
      start_kernel(detail::scale<T>, blocks_of(size), dim3(block), stream, beta, y, size);
  if (error != cudaSuccess || x.count == 0) return error;
  return with_width(x.is_long, [&](auto zero) {
    using Index = decltype(zero);
    return start_kernel(detail::add_few<T, Index>, blocks_of(x.count), dim3(block), stream, alpha,
                        static_cast<const Index*>(x.indices), x.values, x.count, x.base, y);
  });
}

template <typename T>
cudaError_t launch_rotation(Scalar<T> c, Scalar<T> s, Few<T> x, T* y, cudaStream_t stream) {
  if (x.count == 0) return cudaSuccess;
  return with_width(x.is_long, [&](auto zero) {
    using Index = decltype(zero);
    return start_kernel(detail::rotate<T, Index>, blocks_of(x.count), dim3(block), stream, c, s,
                        static_cast<const Index*>(x.indices), x.values, x.count, x.base, y);
  });
}

template <typename T>
cudaError_t launch_gather(const T* y, Few<T> x, cudaStream_t stream) {
  if (x.count == 0) return cudaSuccess;
  return with_width(x.is_long, [&](auto zero) {
    using Index = decltype(zero);
    return start_kernel(detail::gather<T, Index>, blocks_of(x.count), dim3(block), stream, y,
                        static_cast<const Index*>(x.indices), x.values, x.count, x.base);
  });
}

template <typename T>
cudaError_t launch_scatter(Few<const T> x, T* y, cudaStream_t stream) {
  if (x.count == 0) return cudaSuccess;
  return with_width(x.is_long, [&](auto zero) {
    using Index = decltype(zero);
    return start_kernel(detail::scatter<T, Index>, blocks_of(x.count), dim3(block), stream,
                        static_cast<const Index*>(x.indices), x.values, x.count, x.base, y);
  });
}

template <typename T>
cudaError_t launch_dot(Few<const T> x, bool conjugates, const T* y, T* result,
                       cudaStream_t stream) {
  return with_width(x.is_long, [&](auto zero) {
    using Index = decltype(zero);
    return start_kernel(detail::dot<T, Index>, dim3(1), dim3(1), stream,
                        static_cast<const Index*>(x.indices), x.values, x.count, x.base, conjugates,
                        y, result);
  });
}

}  // namespace gridspan::libraries::sparse

#define GRIDSPAN_SPARSE_KERNELS(T)                                                                 \
  template cudaError_t launch_product<T>(const Rows&, Scalar<T>, Dense<const T>, bool, Scalar<T>,  \
                                         Dense<T>, std::int64_t, cudaStream_t);                    \
  template cudaError_t launch_sampled_product<T>(const Rows&, T*, Scalar<T>, Dense<const T>,       \
                                                 Dense<const T>, std::int64_t, Scalar<T>,          \
                                                 cudaStream_t);                                    \
  template cudaError_t launch_solve<T>(const Rows&, bool, bool, Scalar<T>, Dense<const T>,         \
                                       Dense<T>, std::int64_t, cudaStream_t);                      \
  template cudaError_t launch_to_dense<T>(const Rows&, Dense<T>, cudaStream_t);                    \
  template cudaError_t launch_count<T>(Dense<const T>, std::int64_t, std::int64_t, void*, bool,    \
                                       cudaStream_t);                                              \
  template cudaError_t launch_from_dense<T>(Dense<const T>, const Rows&, void*, T*, cudaStream_t); \
  template cudaError_t launch_pick<T>(Dense<const T>, const Rows&, T*, cudaStream_t);              \
  template cudaError_t launch_axpby<T>(Scalar<T>, Few<const T>, Scalar<T>, T*, std::int64_t,       \
                                       cudaStream_t);                                              \
  template cudaError_t launch_rotation<T>(Scalar<T>, Scalar<T>, Few<T>, T*, cudaStream_t);         \
  template cudaError_t launch_gather<T>(const T*, Few<T>, cudaStream_t);                           \
  template cudaError_t launch_scatter<T>(Few<const T>, T*, cudaStream_t);                          \
  template cudaError_t launch_dot<T>(Few<const T>, bool, const T*, T*, cudaStream_t);
