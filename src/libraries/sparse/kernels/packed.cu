// Sparse matrices in blocks and slices: which elements a row has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/packed.h"

#include "libraries/sparse/kernels/widths.h"

namespace gridspan::libraries::sparse {
namespace {

/// Offsets and indices of known widths.
template <typename Offset, typename Index>
struct TypedPacked {
  explicit TypedPacked(const Packed& a)
      : form(a.form),
        rows(a.rows),
        height(a.height),
        width(a.width),
        blocks(a.blocks),
        by_columns(a.by_columns),
        base(a.base),
        offsets(static_cast<const Offset*>(a.offsets)),
        indices(static_cast<const Index*>(a.indices)) {}

  /// Calls `take` with the column and the place of each element, in the order of storage.
  template <typename Take>
  __device__ void for_row(long long row, Take take) const {
    const long long group = row / height, within = row % height;
    if (form == Packed::slices) {
      const long long start = offsets[group] - base;
      const long long count = (offsets[group + 1] - offsets[group]) / height;
      for (long long k = 0; k < count; ++k) {
        const long long place = start + k * height + within;
        if (indices[place] >= base) take(indices[place] - base, place);
      }
      return;
    }
    const bool is_ell = form == Packed::blocks_of_equal_rows;
    const long long first = is_ell ? group * blocks : offsets[group] - base;
    const long long end = is_ell ? first + blocks : offsets[group + 1] - base;
    for (long long k = first; k < end; ++k) {
      if (indices[k] < base) continue;
      const long long column = (indices[k] - base) * width;
      for (long long j = 0; j < width; ++j) {
        const long long in_block = by_columns ? j * height + within : within * width + j;
        const long long place =
            is_ell ? row * blocks * width + (k - first) * width + j : k * height * width + in_block;
        take(column + j, place);
      }
    }
  }

  int form;
  long long rows, height, width, blocks;
  bool by_columns;
  int base;
  const Offset* offsets;
  const Index* indices;
};

template <typename Offset, typename Index>
__global__ void count_packed(TypedPacked<Offset, Index> a, Offset* offsets) {
  const long long row = own_number();
  if (row >= a.rows) return;
  Offset count = 0;
  a.for_row(row, [&](long long, long long) { ++count; });
  offsets[row + 1] = count;
  if (row == 0) offsets[0] = 0;
}

template <typename Offset, typename Index>
__global__ void unpack(TypedPacked<Offset, Index> a, const Offset* offsets, Index* indices,
                       long long* places) {
  const long long row = own_number();
  if (row >= a.rows) return;
  long long to = offsets[row];
  a.for_row(row, [&](long long column, long long place) {
    indices[to] = static_cast<Index>(column + a.base);
    places[to] = place;
    ++to;
  });
}

template <typename Element>
__global__ void put_back(const Element* from, Element* to, const long long* places,
                         const long long* count) {
  const long long k = own_number();
  if (k < *count) to[places[k]] = from[k];
}

template <typename Offset>
__global__ void last_offset(const Offset* offsets, long long rows, int base, long long* count) {
  *count = offsets[rows] - base;
}

/// Calls `run` with zeros of the widths.
template <typename Run>
cudaError_t with_packed_widths(const Packed& a, Run run) {
  Rows widths;
  widths.has_long_offsets = a.has_long_offsets;
  widths.has_long_indices = a.has_long_indices;
  return with_widths(widths, run);
}

}  // namespace

cudaError_t launch_count_packed(const Packed& a, void* offsets, cudaStream_t stream) {
  const std::size_t bytes = a.has_long_offsets ? 8 : 4;
  if (a.rows == 0) return cudaMemsetAsync(offsets, 0, bytes, stream);
  return with_packed_widths(a, [&](auto offset, auto index) {
    using Offset = decltype(offset);
    using Index = decltype(index);
    return start_kernel(count_packed<Offset, Index>, blocks_of(a.rows), dim3(block), stream,
                        TypedPacked<Offset, Index>(a), static_cast<Offset*>(offsets));
  });
}

cudaError_t launch_unpack(const Packed& a, const void* offsets, void* indices, std::int64_t* places,
                          cudaStream_t stream) {
  if (a.rows == 0) return cudaSuccess;
  return with_packed_widths(a, [&](auto offset, auto index) {
    using Offset = decltype(offset);
    using Index = decltype(index);
    return start_kernel(unpack<Offset, Index>, blocks_of(a.rows), dim3(block), stream,
                        TypedPacked<Offset, Index>(a), static_cast<const Offset*>(offsets),
                        static_cast<Index*>(indices), reinterpret_cast<long long*>(places));
  });
}

cudaError_t launch_put_back(const void* from, void* to, int bytes, const std::int64_t* places,
                            const Rows& rows, std::int64_t* count, cudaStream_t stream) {
  if (rows.count == 0) return cudaSuccess;
  auto* const last = reinterpret_cast<long long*>(count);
  const cudaError_t error = with_width(rows.has_long_offsets, [&](auto offset) {
    using Offset = decltype(offset);
    return start_kernel(last_offset<Offset>, dim3(1), dim3(1), stream,
                        static_cast<const Offset*>(rows.offsets), rows.rows, rows.base, last);
  });
  if (error != cudaSuccess) return error;
  const auto run = [&](auto element) {
    using Element = decltype(element);
    return start_kernel(put_back<Element>, blocks_of(rows.count), dim3(block), stream,
                        static_cast<const Element*>(from), static_cast<Element*>(to),
                        reinterpret_cast<const long long*>(places), last);
  };
  switch (bytes) {
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

}  // namespace gridspan::libraries::sparse
