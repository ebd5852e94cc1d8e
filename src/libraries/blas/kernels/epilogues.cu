// What cuBLASLt does to a product: the kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/epilogues.h"

#include "libraries/blas/kernels/numbers.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>
#include <type_traits>

namespace gridspan::libraries::blas {
namespace {

__device__ inline float hyperbolic_tangent(float x) { return tanhf(x); }
__device__ inline double hyperbolic_tangent(double x) { return tanh(x); }

/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
template <typename T>
__device__ inline T gelu(T x) {
  const T inner = T(0.7978845608028654) * (x + T(0.044715) * x * x * x);
  return T(0.5) * x * (T(1) + hyperbolic_tangent(inner));
}
template <typename T>
__device__ inline T gelu_gradient(T x) {
  const T square = x * x;
  const T t = hyperbolic_tangent(T(0.7978845608028654) * (x + T(0.044715) * square * x));
  const T inner = T(0.7978845608028654) * (T(1) + T(3 * 0.044715) * square);
  return T(0.5) * (T(1) + t) + T(0.5) * x * (T(1) - t * t) * inner;
}

template <typename T>
__device__ inline T sum_of(T a, T b) {
  return a + b;
}
__device__ inline cuComplex sum_of(cuComplex a, cuComplex b) { return cuCaddf(a, b); }
__device__ inline cuDoubleComplex sum_of(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCadd(a, b);
}

/// What is done to the product: with a bias, with the matrix `aux`.
enum class Aux { none, written, read };

/// One matrix by columns, of sizes that an int holds: parts of the grid have exact boxes.
template <typename T, bool has_bias, Aux use>
__global__ void epilogue_plain(int m, int n, T* x, int lead, int function, const T* bias, T* aux,
                               int aux_lead) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  T value = x[i + j * lead];
  if constexpr (has_bias) value = sum_of(value, bias[i]);
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (use == Aux::written) aux[i + j * aux_lead] = value;
    if constexpr (use == Aux::read) {
      value = value * gelu_gradient(aux[i + j * aux_lead]);
    } else {
      if (function == static_cast<int>(Function::relu)) value = value < 0 ? T(0) : value;
      if (function == static_cast<int>(Function::gelu)) value = gelu(value);
    }
  }
  x[i + j * lead] = value;
}

template <typename T>
__global__ void epilogue_general(long long m, long long n, T* x, long long row, long long column,
                                 long long batch, int function, const T* bias, long long bias_batch,
                                 T* aux, long long aux_column, long long aux_batch,
                                 const unsigned char* mask, long long mask_column,
                                 long long mask_batch, long long first_column,
                                 long long first_product) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (i >= m || j >= n) return;
  T& place = x[i * row + j * column + z * batch];
  T value = place;
  if (bias) value = sum_of(value, bias[i + z * bias_batch]);
  if constexpr (std::is_floating_point_v<T>) {
    T* const other = aux ? aux + (i + j * aux_column + z * aux_batch) : nullptr;
    switch (static_cast<Function>(function)) {
      case Function::none:
        break;
      case Function::relu:
        value = value < 0 ? T(0) : value;
        break;
      case Function::gelu:
        if (other) *other = value;
        value = gelu(value);
        break;
      case Function::relu_gradient: {
        const long long bit = i + j * mask_column + z * mask_batch;
        if (!(mask[bit >> 3] >> (bit & 7) & 1)) value = T(0);
        break;
      }
      case Function::gelu_gradient:
        value = value * gelu_gradient(*other);
        break;
    }
  }
  place = value;
}

/// A thread for each byte of a column of bits.
template <typename T>
__global__ void mask_of(long long m, long long n, const T* x, long long row, long long column,
                        long long batch, unsigned char* mask, long long mask_column,
                        long long mask_batch, long long first_column, long long first_product) {
  const long long byte = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (byte * 8 >= m || j >= n) return;
  unsigned bits = 0;
  for (int bit = 0; bit < 8; ++bit) {
    const long long i = byte * 8 + bit;
    if (i < m && x[i * row + j * column + z * batch] > 0) bits |= 1u << bit;
  }
  mask[byte + (j * mask_column + z * mask_batch) / 8] = static_cast<unsigned char>(bits);
}

template <typename T>
__global__ void row_sums(long long m, long long n, const T* x, long long row, long long column,
                         long long batch, T* sums) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= m) return;
  const long long z = blockIdx.y;
  T sum = 0;
  for (long long j = 0; j < n; ++j) sum += x[i * row + j * column + z * batch];
  sums[i + z * m] = sum;
}

constexpr int finders = 256;

/// By one block. NaN stays.
template <typename T>
__global__ void largest(long long m, long long n, long long batch_count, const T* x, long long row,
                        long long column, long long batch, float* result) {
  __shared__ float room[finders];
  const int thread = threadIdx.x;
  float best = 0;
  for (long long line = 0; line < n * batch_count; ++line) {
    const T* const first = x + line % n * column + line / n * batch;
    for (long long i = thread; i < m; i += finders) {
      const float value = static_cast<float>(first[i * row]);
      const float size = value < 0 ? -value : value;
      best = size <= best ? best : size;
    }
  }
  room[thread] = best;
  __syncthreads();
  for (int half = finders / 2; half > 0; half /= 2) {
    if (thread < half && !(room[thread + half] <= room[thread])) room[thread] = room[thread + half];
    __syncthreads();
  }
  if (thread == 0) *result = room[0];
}

constexpr unsigned tile_of_rows = 32, tile_of_columns = 8;
constexpr std::int64_t most_tiles = 65535;

unsigned tiles(std::int64_t count, unsigned size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

template <typename Start>
cudaError_t for_tiles(std::int64_t m, std::int64_t n, std::int64_t batch_count, Start start) {
  constexpr std::int64_t most_columns = most_tiles * tile_of_columns;
  for (std::int64_t z = 0; z < batch_count; z += most_tiles)
    for (std::int64_t j = 0; j < n; j += most_columns) {
      const dim3 grid(tiles(m, tile_of_rows), tiles(std::min(n - j, most_columns), tile_of_columns),
                      static_cast<unsigned>(std::min(batch_count - z, most_tiles)));
      if (const cudaError_t error = start(grid, j, z); error != cudaSuccess) return error;
    }
  return cudaSuccess;
}

template <typename T>
bool is_plain(const Epilogue<T>& e) {
  const auto fits = [&](std::int64_t lead) {
    return lead <= INT32_MAX && e.n <= INT32_MAX && lead * e.n <= INT32_MAX;
  };
  return e.batch_count == 1 && e.row == 1 && e.m <= INT32_MAX - 64 &&
         e.n <= most_tiles * tile_of_columns && fits(e.column) && fits(e.aux_column) &&
         e.function != Function::relu_gradient;
}

template <typename T, bool has_bias>
auto plain_kernel(const Epilogue<T>& e) {
  if (e.aux && e.function == Function::gelu) return epilogue_plain<T, has_bias, Aux::written>;
  if (e.function == Function::gelu_gradient) return epilogue_plain<T, has_bias, Aux::read>;
  return epilogue_plain<T, has_bias, Aux::none>;
}

}  // namespace

template <typename T>
cudaError_t launch_epilogue(const Epilogue<T>& e) {
  if (is_plain(e))
    return start_kernel(e.bias ? plain_kernel<T, true>(e) : plain_kernel<T, false>(e),
                        dim3(tiles(e.m, tile_of_rows), tiles(e.n, tile_of_columns)),
                        dim3(tile_of_rows, tile_of_columns), e.stream, static_cast<int>(e.m),
                        static_cast<int>(e.n), e.base, static_cast<int>(e.column),
                        static_cast<int>(e.function), e.bias, e.aux,
                        static_cast<int>(e.aux_column));
  return for_tiles(e.m, e.n, e.batch_count, [&](dim3 grid, std::int64_t j, std::int64_t z) {
    return start_kernel(epilogue_general<T>, grid, dim3(tile_of_rows, tile_of_columns), e.stream,
                        e.m, e.n, e.base, e.row, e.column, e.batch, static_cast<int>(e.function),
                        e.bias, e.bias_batch, e.aux, e.aux_column, e.aux_batch, e.mask,
                        e.mask_column, e.mask_batch, j, z);
  });
}

template <typename T>
cudaError_t launch_mask(const Epilogue<T>& e, unsigned char* mask) {
  return for_tiles((e.m + 7) / 8, e.n, e.batch_count,
                   [&](dim3 grid, std::int64_t j, std::int64_t z) {
                     return start_kernel(mask_of<T>, grid, dim3(tile_of_rows, tile_of_columns),
                                         e.stream, e.m, e.n, e.base, e.row, e.column, e.batch, mask,
                                         e.mask_column, e.mask_batch, j, z);
                   });
}

template <typename T>
cudaError_t launch_row_sums(std::int64_t m, std::int64_t n, std::int64_t batch_count,
                            Matrices<const T> matrix, T* sums, cudaStream_t stream) {
  for (std::int64_t z = 0; z < batch_count; z += most_tiles) {
    const dim3 grid(tiles(m, 128), static_cast<unsigned>(std::min(batch_count - z, most_tiles)));
    const cudaError_t error =
        start_kernel(row_sums<T>, grid, 128, stream, m, n, matrix.base + z * matrix.batch,
                     matrix.row, matrix.column, matrix.batch, sums + z * m);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

template <typename T>
cudaError_t launch_largest(const Epilogue<T>& e, float* result) {
  return start_kernel(largest<T>, 1, finders, e.stream, e.m, e.n, e.batch_count, e.base, e.row,
                      e.column, e.batch, result);
}

#define GRIDSPAN_EPILOGUES(T)                                                       \
  template cudaError_t launch_epilogue<T>(const Epilogue<T>&);                      \
  template cudaError_t launch_mask<T>(const Epilogue<T>&, unsigned char*);          \
  template cudaError_t launch_row_sums<T>(std::int64_t, std::int64_t, std::int64_t, \
                                          Matrices<const T>, T*, cudaStream_t);     \
  template cudaError_t launch_largest<T>(const Epilogue<T>&, float*);
GRIDSPAN_EPILOGUES(float)
GRIDSPAN_EPILOGUES(double)
template cudaError_t launch_epilogue<cuComplex>(const Epilogue<cuComplex>&);
template cudaError_t launch_epilogue<cuDoubleComplex>(const Epilogue<cuDoubleComplex>&);

}  // namespace gridspan::libraries::blas
