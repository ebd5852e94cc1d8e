// Sparse matrices in blocks: the kernels with values. Included by a file for each element type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/kernels/blocks.h"
#include "libraries/sparse/kernels/widths.h"

namespace gridspan::libraries::sparse {
namespace detail {

/// Where element (i, j) of a block is in it.
__device__ inline long long place_in(const Blocks& a, long long i, long long j) {
  return a.by_columns ? j * a.height + i : i * a.width + j;
}

template <typename T>
__global__ void blocks_to_rows(Blocks a, const T* from, int base, int* offsets, int* indices,
                               T* to) {
  const long long row = own_number();
  if (row > a.rows * a.height) return;
  const long long size = a.height * a.width;
  if (row == a.rows * a.height) {
    offsets[row] = static_cast<int>((a.offsets[a.rows] - a.base) * size + base);
    return;
  }
  const long long i = row % a.height, first = a.offsets[row / a.height] - a.base;
  const long long end = a.offsets[row / a.height + 1] - a.base;
  long long next = first * size + i * (end - first) * a.width;
  offsets[row] = static_cast<int>(next + base);
  for (long long k = first; k < end; ++k)
    for (long long j = 0; j < a.width; ++j, ++next) {
      indices[next] = static_cast<int>((a.indices[k] - a.base) * a.width + j + base);
      if (from) to[next] = from[k * size + place_in(a, i, j)];
    }
}

/// A thread for a row of blocks. Columns of blocks that were found are kept in order.
template <typename T>
__global__ void rows_to_blocks(TypedRows<T, int, int> a, Blocks made, int* indices, T* to) {
  const long long own = own_number();
  if (own >= made.rows) return;
  const long long size = made.height * made.width, start = made.offsets[own] - made.base;
  const long long last = (own + 1) * made.height < a.rows ? (own + 1) * made.height : a.rows;
  long long count = 0;
  const auto place_of = [&](int column) {
    long long low = 0;
    for (long long high = count; low < high;) {
      const long long middle = (low + high) / 2;
      if (indices[start + middle] < column)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  for (long long k = a.start(own * made.height), end = a.start(last); k < end; ++k) {
    const int column = static_cast<int>(a.column(k) / made.width) + made.base;
    const long long at = place_of(column);
    if (at < count && indices[start + at] == column) continue;
    for (long long m = count; m > at; --m) indices[start + m] = indices[start + m - 1];
    indices[start + at] = column;
    ++count;
  }
  for (long long m = 0; m < count * size; ++m) to[start * size + m] = blas::zero<T>();
  for (long long row = own * made.height; row < last; ++row)
    for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k) {
      const long long column = a.column(k);
      const long long at = place_of(static_cast<int>(column / made.width) + made.base);
      to[(start + at) * size + place_in(made, row % made.height, column % made.width)] = a.value(k);
    }
}

template <typename T>
__global__ void masked_product(Blocks a, const T* values, const int* mask, int count,
                               const int* ends, Scalar<T> alpha, const T* x, Scalar<T> beta, T* y) {
  const long long own = own_number();
  if (own >= count * a.height) return;
  const long long row = mask[own / a.height] - a.base, i = own % a.height;
  T sum = blas::zero<T>();
  for (long long k = a.offsets[row] - a.base, end = ends[row] - a.base; k < end; ++k)
    for (long long j = 0; j < a.width; ++j)
      sum = blas::added(sum, values[k * a.height * a.width + place_in(a, i, j)],
                        x[(a.indices[k] - a.base) * a.width + j]);
  T* const to = &y[row * a.height + i];
  *to = combined(value_of(alpha), sum, value_of(beta), to);
}

template <typename T>
__global__ void find_zero(TypedRows<T, int, int> a, const T* values, int* pivot) {
  int found = -1;
  for (long long row = 0; row < a.rows && found < 0; ++row) {
    long long k = a.start(row);
    const long long end = a.start(row + 1);
    while (k < end && a.column(k) != row) ++k;
    if (k == end || (values && blas::is_zero(values[k]))) found = static_cast<int>(row) + a.base;
  }
  *pivot = found;
}

template <typename T>
__global__ void move_blocks(const T* from, T* to, long long size, const long long* places,
                            long long count) {
  const long long own = own_number();
  if (own < count * size) to[own] = from[places[own / size] * size + own % size];
}

}  // namespace detail

template <typename T>
cudaError_t launch_blocks_to_rows(const Blocks& a, const T* from, int base, int* offsets,
                                  int* indices, T* to, cudaStream_t stream) {
  return start_kernel(detail::blocks_to_rows<T>, blocks_of(a.rows * a.height + 1), dim3(block),
                      stream, a, from, base, offsets, indices, to);
}

template <typename T>
cudaError_t launch_rows_to_blocks(const Rows& a, const Blocks& made, int* indices, T* to,
                                  cudaStream_t stream) {
  if (made.rows == 0) return cudaSuccess;
  return start_kernel(detail::rows_to_blocks<T>, blocks_of(made.rows), dim3(block), stream,
                      TypedRows<T, int, int>(a), made, indices, to);
}

template <typename T>
cudaError_t launch_masked_product(const Blocks& a, const T* values, const int* mask, int count,
                                  const int* ends, Scalar<T> alpha, const T* x, Scalar<T> beta,
                                  T* y, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  return start_kernel(detail::masked_product<T>, blocks_of(count * a.height), dim3(block), stream,
                      a, values, mask, count, ends, alpha, x, beta, y);
}

template <typename T>
cudaError_t launch_find_zero(const Rows& a, const T* values, int* pivot, cudaStream_t stream) {
  return start_kernel(detail::find_zero<T>, dim3(1), dim3(1), stream, TypedRows<T, int, int>(a),
                      values, pivot);
}

template <typename T>
cudaError_t launch_move_blocks(const T* from, T* to, std::int64_t size, const std::int64_t* places,
                               std::int64_t count, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  return start_kernel(detail::move_blocks<T>, blocks_of(count * size), dim3(block), stream, from,
                      to, size, reinterpret_cast<const long long*>(places), count);
}

}  // namespace gridspan::libraries::sparse

#define GRIDSPAN_SPARSE_BLOCK_KERNELS(T)                                                        \
  template cudaError_t launch_blocks_to_rows<T>(const Blocks&, const T*, int, int*, int*, T*,   \
                                                cudaStream_t);                                  \
  template cudaError_t launch_rows_to_blocks<T>(const Rows&, const Blocks&, int*, T*,           \
                                                cudaStream_t);                                  \
  template cudaError_t launch_masked_product<T>(const Blocks&, const T*, const int*, int,       \
                                                const int*, Scalar<T>, const T*, Scalar<T>, T*, \
                                                cudaStream_t);                                  \
  template cudaError_t launch_find_zero<T>(const Rows&, const T*, int*, cudaStream_t);          \
  template cudaError_t launch_move_blocks<T>(const T*, T*, std::int64_t, const std::int64_t*,   \
                                             std::int64_t, cudaStream_t);
