// Factors of dense matrices: the kernels. Included by a file for each group of element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/factors.h"
#include "libraries/solver/kernels/panels.h"

namespace gridspan::libraries::solver {
namespace detail {

constexpr Size block_size = 64;  // columns of Cholesky's, rows of triangles
constexpr Size panel_size = 32;  // columns that pivots are searched in
constexpr unsigned most_blocks = 65535;

/// By one block. a(i, j) is a[i row + j column]; w, if there is any, is what other columns subtract
/// from it. Each element is a sum over columns in order.
template <typename T>
__device__ void factor_cholesky(T* a, long long row, long long column, long long n, const T* w,
                                long long lead_w, long long first, int* info) {
  const int thread = threadIdx.x, threads = blockDim.x;
  for (long long j = 0; j < n; ++j) {
    for (long long i = j + thread; i < n; i += threads) {
      T value = a[i * row + j * column];
      if (w) value = value - w[i + j * lead_w];
      for (long long k = 0; k < j; ++k)
        value = value - a[i * row + k * column] * conj(a[j * row + k * column]);
      a[i * row + j * column] = value;
    }
    __syncthreads();
    const Real<T> square = real(a[j * row + j * column]);
    __syncthreads();
    if (!(square > 0)) {
      if (thread == 0) *info = static_cast<int>(first + j + 1);
      return;
    }
    const Real<T> root = square_root(square);
    for (long long i = j + thread; i < n; i += threads)
      a[i * row + j * column] = i == j ? number<T>(root) : a[i * row + j * column] / root;
    __syncthreads();
  }
}

template <typename T>
__global__ void cholesky_block(T* a, long long row, long long column, long long n, const T* w,
                               long long lead_w, long long first, int* info) {
  if (*info == 0) factor_cholesky(a, row, column, n, w, lead_w, first, info);
}

/// Rows below a block: X of X L^H = A - W. A thread for each row.
template <typename T>
__global__ void cholesky_rows(const T* l, T* a, long long row, long long column, long long rows,
                              long long n, const T* w, long long lead_w, const int* info) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= rows || *info != 0) return;
  for (long long j = 0; j < n; ++j) {
    T value = a[i * row + j * column];
    if (w) value = value - w[i + j * lead_w];
    for (long long k = 0; k < j; ++k)
      value = value - a[i * row + k * column] * conj(l[j * row + k * column]);
    a[i * row + j * column] = value / real(l[j * row + j * column]);
  }
}

template <typename T>
__global__ void cholesky_each(T* const* a, long long row, long long column, long long n,
                              int* infos) {
  if (threadIdx.x == 0) infos[blockIdx.x] = 0;
  __syncthreads();
  factor_cholesky(a[blockIdx.x], row, column, n, static_cast<const T*>(nullptr), 0LL, 0LL,
                  infos + blockIdx.x);
}

template <typename T>
__global__ void solve_block(const T* a, long long row, long long column, bool conjugates,
                            bool is_lower, bool has_unit_diagonal, long long n, T* b,
                            long long b_row, long long b_column) {
  solve_columns(a, row, column, conjugates, is_lower, has_unit_diagonal, n,
                b + blockIdx.x * b_column, b_row);
}

template <typename T>
__global__ void solve_each(T* const* a, long long row, long long column, long long n, T* const* b,
                           long long lead_b, long long first) {
  const T* const one = a[first + blockIdx.y];
  T* const x = b[first + blockIdx.y] + blockIdx.x * lead_b;
  // Stored as if lower: L is the conjugate of an upper triangle's transpose.
  const bool is_upper = column == 1;
  solve_columns(one, row, column, is_upper, true, false, n, x, 1LL);
  solve_columns(one, column, row, !is_upper, false, false, n, x, 1LL);
}

/// By one block: columns of a panel, one after the other.
template <typename T>
__global__ void lu_panel(T* a, long long lead, long long m, long long n, void* pivots, bool is_long,
                         long long first, int* info) {
  __shared__ PanelRoom<T> room;
  factor_panel(a, lead, m, n, pivots, is_long, first, info, room);
}

/// A thread for each column, but `skipped` ones from `skip` on.
template <typename T>
__global__ void exchange(long long columns, T* a, long long lead, const void* pivots, bool is_long,
                         long long step, long long first, long long last, bool backwards,
                         long long skip, long long skipped) {
  long long j = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (j >= skip) j += skipped;
  if (j >= columns) return;
  for (long long k = first; k < last; ++k) {
    const long long i = backwards ? first + last - 1 - k : k;
    const long long other = pivot(pivots, is_long, i * step) - 1;
    const T kept = a[i + j * lead];
    a[i + j * lead] = a[other + j * lead];
    a[other + j * lead] = kept;
  }
}

template <typename T>
__global__ void check_diagonal(const T* a, long long lead, long long n, int* info) {
  *info = 0;
  for (long long i = n; i > 0; --i)
    if (is_zero(a[(i - 1) + (i - 1) * lead])) *info = static_cast<int>(i);
}

template <typename T>
__global__ void identity(long long m, long long n, T* a, long long lead, long long first) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  if (i < m && j < n) a[i + j * lead] = number<T>(i == j ? 1 : 0);
}

template <typename T>
__global__ void copy_part(int part, bool clears, long long m, long long n, const T* a,
                          long long a_row, long long a_column, bool conjugates, T* b,
                          long long b_row, long long b_column, long long first) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  const bool is_part = part == 0 || (part == 1 ? i >= j : i <= j);
  if (is_part)
    b[i * b_row + j * b_column] = conj_if(conjugates, a[i * a_row + j * a_column]);
  else if (clears)
    b[i * b_row + j * b_column] = number<T>(0);
}

template <typename T>
__global__ void add_to(long long m, long long n, const T* a, long long lead, T* b, long long lead_b,
                       long long first) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  if (i < m && j < n) b[i + j * lead_b] = a[i + j * lead] + b[i + j * lead_b];
}

template <typename T>
__global__ void complete(bool is_lower, long long n, const T* a, long long lead, T* b,
                         long long lead_b, long long first) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  const bool is_stored = is_lower ? i >= j : i <= j;
  const T value = is_stored ? a[i + j * lead] : conj(a[j + i * lead]);
  b[i + j * lead_b] = i == j ? number<T>(real(value)) : value;
}

constexpr unsigned tile_rows = 32, tile_columns = 8;

/// `begin` starts a kernel over m rows and columns of which the grid has enough, from a column on.
template <typename Begin>
void for_tiles(Size m, Size n, Begin begin) {
  constexpr Size most = static_cast<Size>(most_blocks) * tile_columns;
  if (m <= 0) return;
  for (Size j = 0; j < n; j += most)
    begin(dim3(blocks_for(m, tile_rows), blocks_for(std::min(n - j, most), tile_columns)),
          dim3(tile_rows, tile_columns), j);
}

}  // namespace detail

template <typename T>
void solve_triangle(Steps& steps, bool is_lower, bool has_unit_diagonal, Size n, Size width,
                    View<const T> a, View<T> b) {
  if (n <= 0 || width <= 0) return;
  const Size blocks = (n + detail::block_size - 1) / detail::block_size;
  for (Size step = 0; step < blocks; ++step) {
    const Size first = (is_lower ? step : blocks - 1 - step) * detail::block_size;
    const Size size = std::min(detail::block_size, n - first);
    const View<const T> triangle = a.block(first, first);
    const View<T> rows = b.block(first, 0);
    steps.start(detail::solve_block<T>, static_cast<unsigned>(width),
                static_cast<unsigned>(detail::block_size), triangle.base, triangle.row,
                triangle.column, triangle.conjugates, is_lower, has_unit_diagonal, size, rows.base,
                rows.row, rows.column);
    if (is_lower)
      multiply<T>(steps, n - first - size, width, size, -1, a.block(first + size, first),
                  rows.read(), 1, b.block(first + size, 0));
    else
      multiply<T>(steps, first, width, size, -1, a.block(0, first), rows.read(), 1, b);
  }
}

static_assert(cholesky_room(1) == detail::block_size);

template <typename T>
void cholesky(Steps& steps, bool is_lower, Size n, T* a, Size lead, T* work, int* info) {
  steps.zero(info, sizeof *info);
  const View<T> l = lower_of(is_lower, a, lead);
  for (Size first = 0; first < n; first += detail::block_size) {
    const Size size = std::min(detail::block_size, n - first), rows = n - first;
    const View<T> diagonal = l.block(first, first);
    const View<const T> panel = l.block(first, 0).read();
    T* const w = first > 0 ? work : nullptr;
    if (w) multiply<T>(steps, rows, size, first, 1, panel, panel.adjoint(), 0, View<T>{w, 1, rows});
    steps.start(detail::cholesky_block<T>, 1, static_cast<unsigned>(detail::block_size),
                diagonal.base, diagonal.row, diagonal.column, size, w, rows, first, info);
    if (rows > size)
      steps.start(detail::cholesky_rows<T>, blocks_for(rows - size, 64), 64, diagonal.base,
                  diagonal.block(size, 0).base, diagonal.row, diagonal.column, rows - size, size,
                  w ? w + size : nullptr, rows, info);
  }
}

template <typename T>
void cholesky_batched(Steps& steps, bool is_lower, Size n, T* const* a, Size lead, int* infos,
                      Size batch_count) {
  const View<T> l = lower_of<T>(is_lower, nullptr, lead);
  steps.start(detail::cholesky_each<T>, static_cast<unsigned>(batch_count), 64, a, l.row, l.column,
              n, infos);
}

template <typename T>
void solve_cholesky(Steps& steps, bool is_lower, Size n, Size width, const T* a, Size lead, T* b,
                    Size lead_b) {
  View<const T> l = lower_of<const T>(is_lower, a, lead);
  l.conjugates = !is_lower;
  const View<T> x = {b, 1, lead_b};
  solve_triangle<T>(steps, true, false, n, width, l, x);
  solve_triangle<T>(steps, false, false, n, width, l.adjoint(), x);
}

template <typename T>
void solve_cholesky_batched(Steps& steps, bool is_lower, Size n, Size width, T* const* a, Size lead,
                            T* const* b, Size lead_b, Size batch_count) {
  const View<T> l = lower_of<T>(is_lower, nullptr, lead);
  for (Size z = 0; z < batch_count; z += detail::most_blocks)
    steps.start(detail::solve_each<T>,
                dim3(static_cast<unsigned>(width),
                     static_cast<unsigned>(std::min<Size>(batch_count - z, detail::most_blocks))),
                64, a, l.row, l.column, n, b, lead_b, z);
}

template <typename T>
void invert_cholesky(Steps& steps, bool is_lower, Size n, T* a, Size lead, T* work, int* info) {
  find_zero<T>(steps, n, a, lead, info);
  set_identity(steps, n, n, work, n);
  solve_cholesky<T>(steps, is_lower, n, n, a, lead, work, n);
  copy<T>(steps, is_lower ? Part::lower : Part::upper, false, n, n, View<const T>{work, 1, n},
          View<T>{a, 1, lead});
}

template <typename T>
void exchange_rows(Steps& steps, Size columns, T* a, Size lead, Pivots pivots, Size first,
                   Size last, bool backwards, Size pivot_step) {
  if (pivots.place && columns > 0 && last > first)
    steps.start(detail::exchange<T>, blocks_for(columns, 32), 32, columns, a, lead, pivots.place,
                pivots.is_long, pivot_step, first, last, backwards, columns, 0);
}

template <typename T>
void factor_lu(Steps& steps, Size m, Size n, T* a, Size lead, Pivots pivots, int* info) {
  steps.zero(info, sizeof *info);
  const Size shorter = std::min(m, n);
  const View<T> whole = {a, 1, lead};
  for (Size first = 0; first < shorter; first += detail::panel_size) {
    const Size size = std::min(detail::panel_size, shorter - first), end = first + size;
    const View<T> diagonal = whole.block(first, first), right = whole.block(first, end);
    steps.start(detail::lu_panel<T>, 1, detail::panel_threads, diagonal.base, lead, m - first, size,
                pivots.place, pivots.is_long, first, info);
    if (pivots.place && n > size)
      steps.start(detail::exchange<T>, blocks_for(n - size, 32), 32, n, a, lead, pivots.place,
                  pivots.is_long, Size{1}, first, end, false, first, size);
    if (n <= end) continue;
    steps.start(detail::solve_block<T>, static_cast<unsigned>(n - end),
                static_cast<unsigned>(detail::panel_size), diagonal.base, Size{1}, lead, false,
                true, true, size, right.base, Size{1}, lead);
    multiply<T>(steps, m - end, n - end, size, -1, whole.block(end, first).read(), right.read(), 1,
                whole.block(end, end));
  }
}

template <typename T>
void solve_lu(Steps& steps, cublasOperation_t operation, Size n, Size width, const T* a, Size lead,
              Pivots pivots, T* b, Size lead_b) {
  const View<const T> factors = {a, 1, lead};
  const View<T> x = {b, 1, lead_b};
  if (operation == CUBLAS_OP_N) {
    exchange_rows(steps, width, b, lead_b, pivots, 0, n, false);
    solve_triangle<T>(steps, true, true, n, width, factors, x);
    solve_triangle<T>(steps, false, false, n, width, factors, x);
    return;
  }
  View<const T> turned = factors.transposed();
  turned.conjugates = operation == CUBLAS_OP_C;
  solve_triangle<T>(steps, true, false, n, width, turned, x);
  solve_triangle<T>(steps, false, true, n, width, turned, x);
  exchange_rows(steps, width, b, lead_b, pivots, 0, n, true);
}

template <typename T>
void set_identity(Steps& steps, Size m, Size n, T* a, Size lead) {
  detail::for_tiles(m, n, [&](dim3 grid, dim3 block, Size first) {
    steps.start(detail::identity<T>, grid, block, m, n, a, lead, first);
  });
}

template <typename T>
void copy(Steps& steps, Part part, bool clears, Size m, Size n, View<const T> a, View<T> b) {
  detail::for_tiles(m, n, [&](dim3 grid, dim3 block, Size first) {
    steps.start(detail::copy_part<T>, grid, block, static_cast<int>(part), clears, m, n, a.base,
                a.row, a.column, a.conjugates, b.base, b.row, b.column, first);
  });
}

template <typename T>
void add(Steps& steps, Size m, Size n, View<const T> a, View<T> b) {
  detail::for_tiles(m, n, [&](dim3 grid, dim3 block, Size first) {
    steps.start(detail::add_to<T>, grid, block, m, n, a.base, a.column, b.base, b.column, first);
  });
}

template <typename T>
void find_zero(Steps& steps, Size n, const T* a, Size lead, int* info) {
  steps.start(detail::check_diagonal<T>, 1, 1, a, lead, n, info);
}

template <typename T>
void copy_hermitian(Steps& steps, bool is_lower, Size n, const T* a, Size lead, T* b, Size lead_b) {
  detail::for_tiles(n, n, [&](dim3 grid, dim3 block, Size first) {
    steps.start(detail::complete<T>, grid, block, is_lower, n, a, lead, b, lead_b, first);
  });
}

}  // namespace gridspan::libraries::solver

#define GRIDSPAN_FACTORS(T)                                                                     \
  template void cholesky<T>(Steps&, bool, Size, T*, Size, T*, int*);                            \
  template void cholesky_batched<T>(Steps&, bool, Size, T* const*, Size, int*, Size);           \
  template void solve_cholesky<T>(Steps&, bool, Size, Size, const T*, Size, T*, Size);          \
  template void solve_cholesky_batched<T>(Steps&, bool, Size, Size, T* const*, Size, T* const*, \
                                          Size, Size);                                          \
  template void invert_cholesky<T>(Steps&, bool, Size, T*, Size, T*, int*);                     \
  template void factor_lu<T>(Steps&, Size, Size, T*, Size, Pivots, int*);                       \
  template void solve_lu<T>(Steps&, cublasOperation_t, Size, Size, const T*, Size, Pivots, T*,  \
                            Size);                                                              \
  template void exchange_rows<T>(Steps&, Size, T*, Size, Pivots, Size, Size, bool, Size);       \
  template void solve_triangle<T>(Steps&, bool, bool, Size, Size, View<const T>, View<T>);      \
  template void set_identity<T>(Steps&, Size, Size, T*, Size);                                  \
  template void copy<T>(Steps&, Part, bool, Size, Size, View<const T>, View<T>);                \
  template void add<T>(Steps&, Size, Size, View<const T>, View<T>);                             \
  template void find_zero<T>(Steps&, Size, const T*, Size, int*);                               \
  template void copy_hermitian<T>(Steps&, bool, Size, const T*, Size, T*, Size);
