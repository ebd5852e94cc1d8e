// Sparse matrices: work on offsets and indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/heap_sort.h"
#include "libraries/sparse/kernels/widths.h"

#include <type_traits>

namespace gridspan::libraries::sparse {
namespace {

constexpr long long chunk = 1024;

/// The type of a zero that with_width gives, and its atomic counterpart.
template <typename Number>
using Counted = std::conditional_t<sizeof(Number) == 8, unsigned long long, int>;

template <typename Index, typename Offset>
__global__ void find_offsets(const Index* row_numbers, long long count, long long rows, int base,
                             Offset* offsets) {
  const long long row = own_number();
  if (row > rows) return;
  long long first = 0;
  for (long long rest = count; rest > 0;) {
    const long long half = rest / 2;
    const bool is_before = row_numbers[first + half] - base < row;
    first = is_before ? first + half + 1 : first;
    rest = is_before ? rest - half - 1 : half;
  }
  offsets[row] = static_cast<Offset>(first + base);
}

template <typename Offset, typename Index>
__global__ void write_row_numbers(TypedRows<float, Offset, Index> a, Index* row_numbers) {
  const long long row = own_number();
  if (row >= a.rows) return;
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k)
    row_numbers[k] = static_cast<Index>(row + a.base);
}

template <typename Number>
__global__ void sum_chunks(const Number* numbers, long long count, long long* sums) {
  const long long own = own_number();
  if (own * chunk >= count) return;
  long long sum = 0;
  for (long long i = own * chunk; i < (own + 1) * chunk && i < count; ++i) sum += numbers[i];
  sums[own] = sum;
}

/// sums[i] = the sum of those before; one thread.
__global__ void sum_before(long long* sums, long long count) {
  long long sum = 0;
  for (long long i = 0; i < count; ++i) {
    const long long own = sums[i];
    sums[i] = sum;
    sum += own;
  }
}

template <typename Number>
__global__ void sum_within(Number* numbers, long long count, const long long* sums) {
  const long long own = own_number();
  if (own * chunk >= count) return;
  long long sum = sums[own];
  for (long long i = own * chunk; i < (own + 1) * chunk && i < count; ++i) {
    sum += numbers[i];
    numbers[i] = static_cast<Number>(sum);
  }
}

/// Of column j, into counts[j + 1].
template <typename Offset, typename Index>
__global__ void count_columns(TypedRows<float, Offset, Index> a, Counted<Offset>* counts) {
  const long long row = own_number();
  if (row >= a.rows) return;
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k)
    atomicAdd(&counts[a.column(k) + 1], Counted<Offset>(1));
}

template <typename Offset, typename Index>
__global__ void place(TypedRows<float, Offset, Index> a, Counted<Offset>* cursors,
                      long long* places) {
  const long long row = own_number();
  if (row >= a.rows) return;
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k)
    places[atomicAdd(&cursors[a.column(k)], Counted<Offset>(1))] = k;
}

/// Places of a column came in any order.
template <typename Offset>
__global__ void sort_places(const Offset* offsets, long long columns, long long* places) {
  const long long column = own_number();
  if (column >= columns) return;
  long long* const own = places + offsets[column];
  const long long count = offsets[column + 1] - offsets[column];
  sort(own, count);
}

template <typename Offset>
__global__ void add_base(Offset* offsets, long long count, int base) {
  const long long i = own_number();
  if (i < count) offsets[i] += base;
}

/// By insertion: rows are short, and mostly in order.
__global__ void sort_row(TypedRows<float, int, int> a, int* indices, int* numbers) {
  const long long row = own_number();
  if (row >= a.rows) return;
  const long long start = a.start(row), end = a.start(row + 1);
  for (long long k = start + 1; k < end; ++k) {
    const int index = indices[k], number = numbers ? numbers[k] : 0;
    long long to = k;
    for (; to > start && indices[to - 1] > index; --to) {
      indices[to] = indices[to - 1];
      if (numbers) numbers[to] = numbers[to - 1];
    }
    indices[to] = index;
    if (numbers) numbers[to] = number;
  }
}

__global__ void count_up(int* numbers, int count) {
  const long long i = own_number();
  if (i < count) numbers[i] = static_cast<int>(i);
}

__global__ void count_union(TypedRows<float, int, int> a, TypedRows<float, int, int> b,
                            int* offsets) {
  const long long row = own_number();
  if (row >= a.rows) return;
  int count = 0;
  for_union(a, b, row, [&](long long, long long, long long) { ++count; });
  offsets[row + 1] = count;
  if (row == 0) offsets[0] = 0;
}

template <typename Offset, typename Index>
__global__ void count_products(TypedRows<float, Offset, Index> a, TypedRows<float, Offset, Index> b,
                               long long* offsets) {
  const long long row = own_number();
  if (row >= a.rows) return;
  long long count = 0;
  for (long long k = a.start(row), end = a.start(row + 1); k < end; ++k)
    count += b.start(a.column(k) + 1) - b.start(a.column(k));
  offsets[row + 1] = count;
  if (row == 0) offsets[0] = 0;
}

template <typename Element>
__global__ void rearrange(const Element* from, Element* to, const long long* places,
                          long long count) {
  const long long k = own_number();
  if (k < count) to[k] = from[places[k]];
}

/// The first error of launches one after the other.
template <typename... Launches>
cudaError_t in_turn(Launches... launches) {
  cudaError_t error = cudaSuccess;
  ((error = error == cudaSuccess ? launches() : error), ...);
  return error;
}

__global__ void to_places(const int* numbers, bool turned, long long* places, int count) {
  const long long k = own_number();
  if (k >= count) return;
  if (turned)
    places[numbers[k]] = k;
  else
    places[k] = numbers[k];
}

}  // namespace

cudaError_t launch_offsets(const void* row_numbers, bool is_long, std::int64_t count,
                           std::int64_t rows, int base, void* offsets, cudaStream_t stream) {
  return with_width(is_long, [&](auto zero) {
    using Index = decltype(zero);
    return start_kernel(find_offsets<Index, Index>, blocks_of(rows + 1), dim3(block), stream,
                        static_cast<const Index*>(row_numbers), count, rows, base,
                        static_cast<Index*>(offsets));
  });
}

cudaError_t launch_row_numbers(const Rows& matrix, void* row_numbers, cudaStream_t stream) {
  if (matrix.rows == 0) return cudaSuccess;
  return with_widths(matrix, [&](auto offset, auto index) {
    using Offset = decltype(offset);
    using Index = decltype(index);
    return start_kernel(write_row_numbers<Offset, Index>, blocks_of(matrix.rows), dim3(block),
                        stream, TypedRows<float, Offset, Index>(matrix),
                        static_cast<Index*>(row_numbers));
  });
}

cudaError_t launch_sums(void* numbers, bool is_long, std::int64_t count, std::int64_t* sums,
                        cudaStream_t stream) {
  const std::int64_t chunks = (count + chunk - 1) / chunk;
  auto* const sum_of = reinterpret_cast<long long*>(sums);
  return with_width(is_long, [&](auto zero) {
    using Number = decltype(zero);
    auto* const own = static_cast<Number*>(numbers);
    return in_turn(
        [&] {
          return start_kernel(sum_chunks<Number>, blocks_of(chunks), dim3(block), stream, own,
                              count, sum_of);
        },
        [&] { return start_kernel(sum_before, dim3(1), dim3(1), stream, sum_of, chunks); },
        [&] {
          return start_kernel(sum_within<Number>, blocks_of(chunks), dim3(block), stream, own,
                              count, sum_of);
        });
  });
}

cudaError_t launch_base(void* offsets, bool is_long, std::int64_t count, int base,
                        cudaStream_t stream) {
  if (base == 0) return cudaSuccess;
  return with_width(is_long, [&](auto zero) {
    using Offset = decltype(zero);
    return start_kernel(add_base<Offset>, blocks_of(count), dim3(block), stream,
                        static_cast<Offset*>(offsets), count, base);
  });
}

cudaError_t launch_transposition(const Rows& matrix, void* offsets, std::int64_t* places,
                                 void* cursors, std::int64_t* sums, cudaStream_t stream) {
  const std::int64_t ends = matrix.columns + 1;
  return with_widths(matrix, [&](auto offset, auto index) {
    using Offset = decltype(offset);
    using Index = decltype(index);
    const TypedRows<float, Offset, Index> rows(matrix);
    const dim3 blocks = blocks_of(matrix.rows), threads(block);
    auto* const own = static_cast<Offset*>(offsets);
    auto* const place_of = reinterpret_cast<long long*>(places);
    const std::size_t bytes = static_cast<std::size_t>(ends) * sizeof(Offset);
    const bool is_empty = matrix.rows == 0 || matrix.columns == 0;
    return in_turn(
        [&] { return cudaMemsetAsync(offsets, 0, bytes, stream); },
        [&] {
          return is_empty ? cudaSuccess
                          : start_kernel(count_columns<Offset, Index>, blocks, threads, stream,
                                         rows, static_cast<Counted<Offset>*>(offsets));
        },
        [&] { return launch_sums(offsets, matrix.has_long_offsets, ends, sums, stream); },
        [&] { return cudaMemcpyAsync(cursors, offsets, bytes, cudaMemcpyDeviceToDevice, stream); },
        [&] {
          return is_empty ? cudaSuccess
                          : start_kernel(place<Offset, Index>, blocks, threads, stream, rows,
                                         static_cast<Counted<Offset>*>(cursors), place_of);
        },
        [&] {
          return is_empty ? cudaSuccess
                          : start_kernel(sort_places<Offset>, blocks_of(matrix.columns), threads,
                                         stream, own, matrix.columns, place_of);
        },
        [&] { return launch_base(own, matrix.has_long_offsets, ends, matrix.base, stream); });
  });
}

cudaError_t launch_rearrange(const void* from, void* to, int bytes, const std::int64_t* places,
                             std::int64_t count, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  const auto run = [&](auto element) {
    using Element = decltype(element);
    return start_kernel(rearrange<Element>, blocks_of(count), dim3(block), stream,
                        static_cast<const Element*>(from), static_cast<Element*>(to),
                        reinterpret_cast<const long long*>(places), count);
  };
  switch (bytes) {
    case 1:
      return run(char{});
    case 2:
      return run(short{});
    case 4:
      return run(0);
    case 8:
      return run(0ll);
    default:
      return run(double2{});
  }
}

cudaError_t launch_sort(const Rows& matrix, int* indices, int* numbers, cudaStream_t stream) {
  if (matrix.rows == 0) return cudaSuccess;
  return start_kernel(sort_row, blocks_of(matrix.rows), dim3(block), stream,
                      TypedRows<float, int, int>(matrix), indices, numbers);
}

cudaError_t launch_identity(int* numbers, int count, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  return start_kernel(count_up, blocks_of(count), dim3(block), stream, numbers, count);
}

cudaError_t launch_count_products(const Rows& a, const Rows& b, std::int64_t* offsets,
                                  cudaStream_t stream) {
  if (a.rows == 0) return cudaMemsetAsync(offsets, 0, sizeof *offsets, stream);
  return with_widths(a, [&](auto offset, auto index) {
    using Typed = TypedRows<float, decltype(offset), decltype(index)>;
    return start_kernel(count_products<decltype(offset), decltype(index)>, blocks_of(a.rows),
                        dim3(block), stream, Typed(a), Typed(b),
                        reinterpret_cast<long long*>(offsets));
  });
}

cudaError_t launch_count_union(const Rows& a, const Rows& b, int* offsets, cudaStream_t stream) {
  if (a.rows == 0) return cudaMemsetAsync(offsets, 0, sizeof *offsets, stream);
  using Typed = TypedRows<float, int, int>;
  return start_kernel(count_union, blocks_of(a.rows), dim3(block), stream, Typed(a), Typed(b),
                      offsets);
}

cudaError_t launch_places(const int* numbers, bool turned, std::int64_t* places, int count,
                          cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  return start_kernel(to_places, blocks_of(count), dim3(block), stream, numbers, turned,
                      reinterpret_cast<long long*>(places), count);
}

}  // namespace gridspan::libraries::sparse
