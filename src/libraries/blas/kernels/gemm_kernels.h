// The product of general matrices: the kernels. Included by a file for each group of element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every element is a sum over k in order, wherever it is computed: results do not depend on how a
// launch is split.
#pragma once

#include "libraries/blas/kernels/gemm.h"
#include "libraries/blas/kernels/gemm_batch_kernels.h"
#include "libraries/blas/kernels/numbers.h"
#include "libraries/support/home.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>
#include <type_traits>

namespace gridspan::libraries::blas {

/// Columns by columns, of sizes that an int holds: subscripts as the analysis of kernels knows
/// them, so that parts of the grid have exact boxes.
template <typename T, bool reads_c>
__global__ void gemm_plain(int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb,
                           T beta, T* c, int ldc) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  T sum = zero<T>();
  for (int l = 0; l < k; ++l) sum = added(sum, a[i + l * lda], b[l + j * ldb]);
  T result = product(alpha, sum);
  if constexpr (reads_c) result = added(result, beta, c[i + j * ldc]);
  c[i + j * ldc] = result;
}

/// The same with alpha or beta in device memory.
template <typename T>
__global__ void gemm_plain_at(int m, int n, int k, T alpha_value, const T* alpha_place, const T* a,
                              int lda, const T* b, int ldb, T beta_value, const T* beta_place, T* c,
                              int ldc) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  const T alpha = alpha_place ? *alpha_place : alpha_value;
  const T beta = beta_place ? *beta_place : beta_value;
  const int terms = is_zero(alpha) ? 0 : k;
  T sum = zero<T>();
  for (int l = 0; l < terms; ++l) sum = added(sum, a[i + l * lda], b[l + j * ldb]);
  T result = is_zero(alpha) ? zero<T>() : product(alpha, sum);
  if (!is_zero(beta)) result = added(result, beta, c[i + j * ldc]);
  c[i + j * ldc] = result;
}

/// A thread copies this many rows and columns: so it reads, too, along lines of memory.
constexpr int packed_tile = 4;

/// op(A) of a transposed A, columns by columns.
template <typename T>
__global__ void gemm_pack(int rows, int columns, const T* from, int lead, bool conjugates, T* to) {
  const int first_row = (blockIdx.x * blockDim.x + threadIdx.x) * packed_tile;
  const int first_column = (blockIdx.y * blockDim.y + threadIdx.y) * packed_tile;
#pragma unroll
  for (int j = first_column; j < first_column + packed_tile; ++j)
#pragma unroll
    for (int i = first_row; i < first_row + packed_tile; ++i)
      if (i < rows && j < columns) to[i + j * rows] = conjugate(from[j + i * lead], conjugates);
}

/// Of any steps and types; alpha and beta may be in device memory; matrices of a batch lie at equal
/// distances or where an array says.
template <typename Sum, typename Scale, typename In, typename Out, bool by_pointers>
__global__ void gemm_general(long long m, long long n, long long k, Scale alpha_value,
                             const Scale* alpha_place, const In* a_base, const In* const* a_array,
                             long long a_row, long long a_column, long long a_batch,
                             bool a_conjugates, const In* b_base, const In* const* b_array,
                             long long b_row, long long b_column, long long b_batch,
                             bool b_conjugates, Scale beta_value, const Scale* beta_place,
                             Out* c_base, Out* const* c_array, long long c_row, long long c_column,
                             long long c_batch, long long first_column, long long first_product) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (i >= m || j >= n) return;
  const Sum alpha = Conversion<Sum, Scale>::of(alpha_place ? *alpha_place : alpha_value);
  const Sum beta = Conversion<Sum, Scale>::of(beta_place ? *beta_place : beta_value);
  Out* const c = by_pointers ? c_array[z] : c_base + z * c_batch;
  Sum result = zero<Sum>();
  if (!is_zero(alpha)) {
    const In* const a = by_pointers ? a_array[z] : a_base + z * a_batch;
    const In* const b = by_pointers ? b_array[z] : b_base + z * b_batch;
    Sum sum = zero<Sum>();
    for (long long l = 0; l < k; ++l)
      sum =
          added(sum, conjugate(Conversion<Sum, In>::of(a[i * a_row + l * a_column]), a_conjugates),
                conjugate(Conversion<Sum, In>::of(b[l * b_row + j * b_column]), b_conjugates));
    result = product(alpha, sum);
  }
  if (!is_zero(beta))
    result = added(result, beta, Conversion<Sum, Out>::of(c[i * c_row + j * c_column]));
  c[i * c_row + j * c_column] = Conversion<Out, Sum>::of(result);
}

namespace detail {

constexpr unsigned block_rows = 32, block_columns = 8;
constexpr std::int64_t most_blocks = 65535;  // along y and z

inline unsigned blocks_for(std::int64_t count, unsigned size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

/// The largest subscript that the matrix has.
inline bool fits_int(std::int64_t lead, std::int64_t columns) {
  return lead <= INT32_MAX && columns <= INT32_MAX && lead * columns <= INT32_MAX;
}

template <typename Sum, typename Scale, typename In, typename Out>
bool is_plain(const Gemm<Sum, Scale, In, Out>& g) {
  const auto is_whole = [](const auto& x) { return x.base && x.row == 1 && !x.conjugates; };
  return g.batch_count == 1 && is_whole(g.a) && is_whole(g.b) && is_whole(g.c) &&
         fits_int(g.a.column, g.k) && fits_int(g.b.column, g.n) && fits_int(g.c.column, g.n) &&
         g.m <= INT32_MAX - 64 && g.n <= most_blocks * block_columns;
}

template <typename T>
cudaError_t launch_plain(const Gemm<T, T, T, T>& g) {
  const dim3 block(block_rows, block_columns);
  const dim3 grid(blocks_for(g.m, block_rows), blocks_for(g.n, block_columns));
  const int m = static_cast<int>(g.m), n = static_cast<int>(g.n), k = static_cast<int>(g.k);
  const int lda = static_cast<int>(g.a.column), ldb = static_cast<int>(g.b.column),
            ldc = static_cast<int>(g.c.column);
  if (g.alpha.place || g.beta.place)
    return start_kernel(gemm_plain_at<T>, grid, block, g.stream, m, n, k, g.alpha.value,
                        g.alpha.place, g.a.base, lda, g.b.base, ldb, g.beta.value, g.beta.place,
                        g.c.base, ldc);
  const auto kernel = is_zero(g.beta.value) ? gemm_plain<T, false> : gemm_plain<T, true>;
  return start_kernel(kernel, grid, block, g.stream, m, n, k, g.alpha.value, g.a.base, lda,
                      g.b.base, ldb, g.beta.value, g.c.base, ldc);
}

template <bool by_pointers, typename Sum, typename Scale, typename In, typename Out>
cudaError_t launch_general(const Gemm<Sum, Scale, In, Out>& g) {
  // A vector, or few columns: blocks are columns.
  const bool is_narrow = g.n < block_columns;
  const dim3 block(is_narrow ? block_rows * block_columns : block_rows,
                   is_narrow ? 1 : block_columns);
  const std::int64_t most_columns = most_blocks * block.y;
  for (std::int64_t z = 0; z < g.batch_count; z += most_blocks) {
    for (std::int64_t j = 0; j < g.n; j += most_columns) {
      const dim3 grid(blocks_for(g.m, block.x),
                      blocks_for(std::min(g.n - j, most_columns), block.y),
                      static_cast<unsigned>(std::min(g.batch_count - z, most_blocks)));
      const cudaError_t error = start_kernel(
          gemm_general<Sum, Scale, In, Out, by_pointers>, grid, block, g.stream, g.m, g.n, g.k,
          g.alpha.value, g.alpha.place, g.a.base, g.a.array, g.a.row, g.a.column, g.a.batch,
          g.a.conjugates, g.b.base, g.b.array, g.b.row, g.b.column, g.b.batch, g.b.conjugates,
          g.beta.value, g.beta.place, g.c.base, g.c.array, g.c.row, g.c.column, g.c.batch, j, z);
      if (error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

}  // namespace detail

template <typename T>
cudaError_t launch_transposed(std::int64_t rows, std::int64_t columns, const T* from,
                              std::int64_t lead, bool conjugates, T* to, cudaStream_t stream) {
  constexpr unsigned along_x = 16, along_y = 4;
  const dim3 grid(detail::blocks_for(rows, along_x * packed_tile),
                  detail::blocks_for(columns, along_y * packed_tile));
  return start_kernel(gemm_pack<T>, grid, dim3(along_x, along_y), stream, rows, columns, from, lead,
                      conjugates, to);
}

namespace detail {

/// So many products that packing costs nothing beside them.
constexpr std::int64_t packs_from = 1 << 18;

/// `matrix`, rows by columns, becomes one that is not transposed, in memory that `kept` names.
template <typename T>
cudaError_t pack(Matrices<const T>& matrix, std::int64_t rows, std::int64_t columns, void*& kept,
                 cudaStream_t stream) {
  if (matrix.row == 1 && !matrix.conjugates) return cudaSuccess;
  const auto bytes = static_cast<std::size_t>(rows * columns) * sizeof(T);
  cudaError_t error = cudaMallocAsync(&kept, bytes, stream);
  if (error != cudaSuccess) return error;
  T* const packed = static_cast<T*>(kept);
  error =
      launch_transposed(rows, columns, matrix.base, matrix.row, matrix.conjugates, packed, stream);
  matrix = {};
  matrix.base = packed;
  matrix.column = rows;
  return error;
}

/// Is one product with transposed operands that `pack` takes?
template <typename T>
bool is_packable(const Gemm<T, T, T, T>& g) {
  const auto fits = [](const Matrices<const T>& x, std::int64_t rows, std::int64_t columns) {
    if (x.row == 1) return !x.conjugates && x.base;
    return x.base && x.column == 1 && fits_int(x.row, rows) && rows <= INT32_MAX - 64 &&
           columns <= most_blocks * block_columns && rows * columns <= INT32_MAX;
  };
  // Of few columns, A's copy would take as long as the products. (Of few rows, B's is worth it: its
  // columns are read one by one.)
  const bool is_worth_it = g.a.row == 1 || g.n >= block_columns;
  return is_worth_it && g.batch_count == 1 && g.k > 0 && g.m * g.n >= packs_from / g.k &&
         g.m * g.n <= INT32_MAX && fits(g.a, g.m, g.k) && fits(g.b, g.k, g.n);
}

template <typename T>
bool is_plain_once_packed(const Gemm<T, T, T, T>& g) {
  if (!is_packable(g)) return false;
  Gemm<T, T, T, T> packed = g;
  packed.a.row = packed.b.row = 1;
  packed.a.column = g.a.row == 1 ? g.a.column : g.m;
  packed.b.column = g.b.row == 1 ? g.b.column : g.k;
  packed.a.conjugates = packed.b.conjugates = false;
  return is_plain(packed);
}

template <typename T>
cudaError_t launch_packed(Gemm<T, T, T, T> g) {
  void *a = nullptr, *b = nullptr;
  cudaError_t error = pack(g.a, g.m, g.k, a, g.stream);
  if (error == cudaSuccess) error = pack(g.b, g.k, g.n, b, g.stream);
  if (error == cudaSuccess) error = launch_plain(g);
  for (void* const kept : {a, b}) {
    const cudaError_t freed = kept ? cudaFreeAsync(kept, g.stream) : cudaSuccess;
    if (error == cudaSuccess) error = freed;
  }
  return error;
}

/// Is a batch of products that are fast one by one? Small ones leave most of a GPU idle.
template <typename T>
bool is_apart(const Gemm<T, T, T, T>& g, bool is_on_gpu) {
  const std::int64_t least = is_on_gpu ? 1 << 24 : 1 << 20;
  const bool is_as_fast = is_on_gpu && g.a.row == 1 && g.b.row == 1;
  if (g.batch_count == 1 || is_as_fast || !g.c.base || !g.a.base || !g.b.base || g.k == 0 ||
      g.m * g.n < least / g.k)
    return false;
  const Gemm<T, T, T, T> first = part_of_batch(g, 0, 1);
  return is_plain(first) || is_plain_once_packed(first);
}

template <typename T>
cudaError_t launch_each(const Gemm<T, T, T, T>& g) {
  for (std::int64_t z = 0; z < g.batch_count; ++z) {
    const Gemm<T, T, T, T> one = part_of_batch(g, z, 1);
    const cudaError_t error = is_plain(one) ? launch_plain(one) : launch_packed(one);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace detail

template <typename Sum, typename Scale, typename In, typename Out>
cudaError_t launch(const Gemm<Sum, Scale, In, Out>& given) {
  Gemm<Sum, Scale, In, Out> g = given;
  // What is multiplied by nothing is not read.
  if (!g.alpha.place && is_zero(g.alpha.value)) g.k = 0;
  if constexpr (std::is_same_v<Sum, Scale> && std::is_same_v<Sum, In> && std::is_same_v<Sum, Out>) {
    const bool is_on_gpu = g.batch_count > 1 && is_home_on_gpu();
    if (detail::is_apart(g, is_on_gpu)) return detail::launch_each(g);
    if constexpr (std::is_floating_point_v<Sum>)
      if (!is_on_gpu && detail::is_tiled(g)) return detail::launch_batch(g);
    if (detail::is_plain(g)) return detail::launch_plain(g);
    if (detail::is_plain_once_packed(g)) return detail::launch_packed(g);
  }
  return g.c.array ? detail::launch_general<true>(g) : detail::launch_general<false>(g);
}

#define GRIDSPAN_GEMM(...) template cudaError_t launch<__VA_ARGS__>(const Gemm<__VA_ARGS__>& gemm);
#define GRIDSPAN_TRANSPOSED(T)                                                                  \
  template cudaError_t launch_transposed<T>(std::int64_t, std::int64_t, const T*, std::int64_t, \
                                            bool, T*, cudaStream_t);

}  // namespace gridspan::libraries::blas
