// Products of batches of small matrices: the kernels, for float and double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread has a tile of one product: `lines` vectors of `width` rows, `columns` columns. Vectors
// are the compiler's own, so a tile stays in registers however small its matrix is, and a block has
// several matrices. Rows that are left are a launch of their own, with narrower vectors; of columns
// beyond the last one the last is computed again, and not stored, and so are rows before the last
// ones if these are less than a vector. Every element is a sum over k in order.
#pragma once

#include "libraries/blas/kernels/gemm.h"
#include "libraries/blas/kernels/numbers.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace gridspan::libraries::blas {

/// Of elements that lie anywhere, and in a register.
template <typename T, int width>
struct VectorOf {
  typedef T Stored __attribute__((ext_vector_type(width), aligned(alignof(T))));
  typedef T Value __attribute__((ext_vector_type(width)));
};

template <typename T, int width, int lines, int columns>
__global__ void gemm_tiles(int batch_count, int first_row, int rows, int skipped, int n, int k,
                           T alpha_value, const T* alpha_place, const T* a_base,
                           const T* const* a_array, int lda, long long a_batch, const T* b_base,
                           const T* const* b_array, int b_row, int b_column, long long b_batch,
                           T beta_value, const T* beta_place, T* c_base, T* const* c_array, int ldc,
                           long long c_batch) {
  using Stored = typename VectorOf<T, width>::Stored;
  using Value = typename VectorOf<T, width>::Value;
  const int z = blockIdx.x * blockDim.z + threadIdx.z;
  const int row = (blockIdx.z * blockDim.x + threadIdx.x) * (width * lines);
  const int column = (blockIdx.y * blockDim.y + threadIdx.y) * columns;
  if (z >= batch_count || row >= rows || column >= n) return;
  const T alpha = alpha_place ? *alpha_place : alpha_value;
  const T beta = beta_place ? *beta_place : beta_value;
  Value sums[columns][lines];
#pragma unroll
  for (int j = 0; j < columns; ++j)
#pragma unroll
    for (int i = 0; i < lines; ++i) sums[j][i] = (Value)zero<T>();
  if (!is_zero(alpha) && k > 0) {
    const T* const a = (a_array ? a_array[z] : a_base + z * a_batch) + first_row + row;
    const T* const b = b_array ? b_array[z] : b_base + z * b_batch;
    const T* starts[columns];
#pragma unroll
    for (int j = 0; j < columns; ++j) starts[j] = b + min(column + j, n - 1) * b_column;
    for (int l = 0; l < k; ++l) {
      Value x[lines];
#pragma unroll
      for (int i = 0; i < lines; ++i)
        x[i] = *reinterpret_cast<const Stored*>(a + l * lda + i * width);
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        const Value y = (Value)starts[j][l * b_row];
#pragma unroll
        for (int i = 0; i < lines; ++i) sums[j][i] = sums[j][i] + x[i] * y;
      }
    }
  }
  T* const c = (c_array ? c_array[z] : c_base + z * c_batch) + first_row + row;
#pragma unroll
  for (int j = 0; j < columns; ++j)
    if (column + j < n)
#pragma unroll
      for (int i = 0; i < lines; ++i) {
        T* const place = c + (column + j) * ldc + i * width;
        Value result = (Value)alpha * sums[j][i];
        if (!is_zero(beta)) result = result + (Value)beta * *reinterpret_cast<Stored*>(place);
        if (skipped == 0) {
          *reinterpret_cast<Stored*>(place) = result;
        } else if constexpr (width == 4) {
          if (skipped == 1) place[1] = result[1];
          if (skipped <= 2) place[2] = result[2];
          place[3] = result[3];
        }
      }
}

/// op(A) of transposed matrices, one after the other; real ones have no conjugates. A thread copies
/// four rows and columns: so it reads, too, along lines of memory.
template <typename T>
__global__ void gemm_pack_batch(int batch_count, int rows, int columns, const T* base,
                                const T* const* array, int lead, long long batch, T* to) {
  constexpr int size = 4;
  const int z = blockIdx.x * blockDim.z + threadIdx.z;
  const int row = (blockIdx.z * blockDim.x + threadIdx.x) * size;
  const int column = (blockIdx.y * blockDim.y + threadIdx.y) * size;
  if (z >= batch_count || row >= rows || column >= columns) return;
  const T* const from = (array ? array[z] : base + z * batch) + column + row * lead;
  T* const place = to + z * ((long long)rows * columns) + row + column * rows;
#pragma unroll
  for (int j = 0; j < size; ++j)
#pragma unroll
    for (int i = 0; i < size; ++i)
      if (row + i < rows && column + j < columns) place[i + j * rows] = from[j + i * lead];
}

namespace detail {

/// Tiles of each product, and how they are threads: a block has several products if they are small,
/// so that starting it costs little beside its work.
struct TileShape {
  TileShape(std::int64_t batch_count, std::int64_t row_tiles, std::int64_t column_tiles) {
    constexpr std::int64_t threads = 32;
    const std::int64_t x = std::min(row_tiles, threads);
    const std::int64_t y = std::min(column_tiles, std::max<std::int64_t>(1, threads / x));
    const std::int64_t z = std::max<std::int64_t>(1, threads / (x * y));
    const auto blocks = [](std::int64_t count, std::int64_t size) {
      return static_cast<unsigned>((count + size - 1) / size);
    };
    grid = dim3(blocks(batch_count, z), blocks(column_tiles, y), blocks(row_tiles, x));
    block = dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
  }
  dim3 grid, block;
};

/// `row_tiles` tiles from row `first` on, without the first `skipped` rows.
template <int width, int lines, int columns, typename T>
cudaError_t launch_row_tiles(const Gemm<T, T, T, T>& g, std::int64_t first, std::int64_t row_tiles,
                             std::int64_t skipped) {
  const TileShape shape(g.batch_count, row_tiles, (g.n + columns - 1) / columns);
  return start_kernel(gemm_tiles<T, width, lines, columns>, shape.grid, shape.block, g.stream,
                      g.batch_count, first, row_tiles * width * lines, skipped, g.n, g.k,
                      g.alpha.value, g.alpha.place, g.a.base, g.a.array, g.a.column, g.a.batch,
                      g.b.base, g.b.array, g.b.row, g.b.column, g.b.batch, g.beta.value,
                      g.beta.place, g.c.base, g.c.array, g.c.column, g.c.batch);
}

/// The rows that whole tiles have, from `first` on; behind them is what is left.
template <int width, int lines, int columns, typename T>
cudaError_t launch_tiles(const Gemm<T, T, T, T>& g, std::int64_t& first) {
  const std::int64_t row_tiles = (g.m - first) / (width * lines);
  if (row_tiles == 0) return cudaSuccess;
  const cudaError_t error = launch_row_tiles<width, lines, columns>(g, first, row_tiles, 0);
  first += row_tiles * width * lines;
  return error;
}

/// Tiles of four rows; for up to three rows at the end one that begins before them.
template <int columns, typename T>
cudaError_t launch_narrow_tiles(const Gemm<T, T, T, T>& g, std::int64_t& first) {
  const cudaError_t error = launch_tiles<4, 1, columns>(g, first);
  if (error != cudaSuccess || first == g.m || g.m < 4) return error;
  const std::int64_t skipped = 4 - (g.m - first);
  first = g.m;
  return launch_row_tiles<4, 1, columns>(g, g.m - 4, 1, skipped);
}

/// Wide vectors for most rows, narrower ones for those that are left.
template <typename T>
cudaError_t launch_tiles_of_all(const Gemm<T, T, T, T>& g) {
  constexpr int width = 64 / sizeof(T);
  std::int64_t first = 0;
  cudaError_t error = launch_tiles<width, 4, 4>(g, first);
  if (error == cudaSuccess) error = launch_tiles<width, 1, 8>(g, first);
  if constexpr (width > 8)
    if (error == cudaSuccess) error = launch_tiles<8, 1, 8>(g, first);
  if (error == cudaSuccess)
    error = g.n > 4 ? launch_narrow_tiles<8>(g, first) : launch_narrow_tiles<4>(g, first);
  if (error == cudaSuccess) error = launch_tiles<1, 1, 8>(g, first);
  return error;
}

/// `count` products of a batch, from `first` on.
template <typename T>
Gemm<T, T, T, T> part_of_batch(Gemm<T, T, T, T> g, std::int64_t first, std::int64_t count) {
  const auto move = [&](auto& x) {
    if (x.array) x.array += first;
    if (x.base) x.base += first * x.batch;
  };
  move(g.a), move(g.b), move(g.c);
  g.batch_count = count;
  return g;
}

/// Copies of transposed matrices A, and the products with them.
template <typename T>
cudaError_t launch_packed_part(Gemm<T, T, T, T> g, T* packed) {
  const TileShape shape(g.batch_count, (g.m + 3) / 4, (g.k + 3) / 4);
  const cudaError_t error =
      start_kernel(gemm_pack_batch<T>, shape.grid, shape.block, g.stream, g.batch_count, g.m, g.k,
                   g.a.base, g.a.array, g.a.row, g.a.batch, packed);
  g.a = {};
  g.a.base = packed;
  g.a.column = g.m;
  g.a.batch = g.m * g.k;
  return error == cudaSuccess ? launch_tiles_of_all(g) : error;
}

template <typename T>
cudaError_t launch_batch(const Gemm<T, T, T, T>& g) {
  if (g.a.row == 1 || g.k == 0) return launch_tiles_of_all(g);
  // As many copies as a cache holds, then their products.
  constexpr std::int64_t cached_bytes = 1 << 19, least = 32;
  const std::int64_t bytes = g.m * g.k * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t count = std::min(g.batch_count, std::max(least, cached_bytes / bytes));
  void* kept = nullptr;
  cudaError_t error = cudaMallocAsync(&kept, static_cast<std::size_t>(count * bytes), g.stream);
  if (error != cudaSuccess) return error;
  for (std::int64_t z = 0; z < g.batch_count && error == cudaSuccess; z += count)
    error = launch_packed_part(part_of_batch(g, z, std::min(count, g.batch_count - z)),
                               static_cast<T*>(kept));
  const cudaError_t freed = cudaFreeAsync(kept, g.stream);
  return error == cudaSuccess ? freed : error;
}

/// A batch whose matrices lie as the kernels know them.
template <typename T>
bool is_tiled(const Gemm<T, T, T, T>& g) {
  constexpr std::int64_t most = INT32_MAX;
  const auto fits = [](const auto& x, std::int64_t rows, std::int64_t columns) {
    return (x.row == 1 || x.column == 1) && x.row >= 0 && x.column >= 0 && x.row * rows <= most &&
           x.column * columns <= most && x.row * rows + x.column * columns <= most;
  };
  return std::is_floating_point_v<T> && g.batch_count > 1 && g.batch_count <= most - 64 &&
         g.m <= 1 << 20 && g.n <= 1 << 16 && g.k <= 1 << 20 && g.c.row == 1 &&
         fits(g.a, g.m, g.k) && fits(g.b, g.k, g.n) && fits(g.c, g.m, g.n);
}

}  // namespace detail
}  // namespace gridspan::libraries::blas
