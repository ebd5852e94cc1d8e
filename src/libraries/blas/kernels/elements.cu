// Matrices of any element type and order: the kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/elements.h"

#include "libraries/blas/kernels/numbers.h"
#include "libraries/support/start_kernel.h"

#include <cuda_fp4.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <type_traits>

namespace gridspan::libraries::blas {
namespace {

template <__nv_fp8_interpretation_t format>
struct Byte {
  __nv_fp8_storage_t bits;
};
using E4m3 = Byte<__NV_E4M3>;
using E5m2 = Byte<__NV_E5M2>;

template <typename Work, typename T>
__device__ inline Work loaded(T x) {
  return static_cast<Work>(x);
}
template <typename Work>
__device__ inline Work loaded(__half x) {
  return static_cast<Work>(__half2float(x));
}
template <typename Work>
__device__ inline Work loaded(__nv_bfloat16 x) {
  return static_cast<Work>(__bfloat162float(x));
}
template <typename Work, __nv_fp8_interpretation_t format>
__device__ inline Work loaded(Byte<format> x) {
  return static_cast<Work>(__half2float(__half(__nv_cvt_fp8_to_halfraw(x.bits, format))));
}

template <typename T, typename Work>
__device__ inline T stored(Work x, T) {
  return static_cast<T>(x);
}
template <typename Work>
__device__ inline __half stored(Work x, __half) {
  return __float2half(static_cast<float>(x));
}
template <typename Work>
__device__ inline __nv_bfloat16 stored(Work x, __nv_bfloat16) {
  return __float2bfloat16(static_cast<float>(x));
}
template <typename Work, __nv_fp8_interpretation_t format>
__device__ inline Byte<format> stored(Work x, Byte<format>) {
  return {__nv_cvt_float_to_fp8(static_cast<float>(x), __NV_SATFINITE, format)};
}
/// NaN becomes 0.
template <typename Integer, typename Work>
__device__ inline Integer rounded(Work x, double least, double largest) {
  const double value = rint(static_cast<double>(x));
  if (!(value > least)) return value == value ? static_cast<Integer>(least) : Integer(0);
  return static_cast<Integer>(value < largest ? value : largest);
}
template <typename Work>
__device__ inline signed char stored(Work x, signed char) {
  return rounded<signed char>(x, -128, 127);
}
template <typename Work>
__device__ inline int stored(Work x, int) {
  if constexpr (std::is_same_v<Work, int>)
    return x;
  else
    return rounded<int>(x, -2147483648.0, 2147483647.0);
}

/// `use` gets a number of the type.
template <typename Use>
__device__ inline void of_type(int type, Use use) {
  switch (type) {
    case CUDA_R_32F:
      return use(float{});
    case CUDA_R_64F:
      return use(double{});
    case CUDA_R_16F:
      return use(__half{});
    case CUDA_R_16BF:
      return use(__nv_bfloat16{});
    case CUDA_R_8I:
      return use(static_cast<signed char>(0));
    case CUDA_R_32I:
      return use(0);
    case CUDA_R_8F_E4M3:
      return use(E4m3{});
    case CUDA_R_8F_E5M2:
      return use(E5m2{});
    default:
      return;
  }
}

/// Tiles are columns of 32 elements, and within them as documented for the order.
__device__ inline long long place_of(int order, long long row, long long column, long long i,
                                     long long j) {
  if (order == static_cast<int>(ElementOrder::steps)) return i * row + j * column;
  const long long tile = (j >> 5) * column;
  const int c = static_cast<int>(j & 31);
  if (order == static_cast<int>(ElementOrder::columns_32)) return tile + (i << 5) + c;
  if (order == static_cast<int>(ElementOrder::turing_tiles)) {
    // 8 rows and 32 columns: pieces of 4 columns, of even rows before odd ones.
    const int r = static_cast<int>(i & 7);
    return tile + ((((i >> 3) << 3) + ((r & 1) << 2) + (c >> 3)) << 5) +
           (((((c & 7) >= 4) ? 4 : 0) + (r >> 1)) << 2) + (c & 3);
  }
  const int r = static_cast<int>(i & 31);  // 32 rows and columns
  return tile + ((i >> 5) << 10) + ((((((r & 7) >> 1) << 2) + (r >> 3)) << 1) + (r & 1)) * 32 + c;
}

template <typename Work>
__global__ void load_any(long long m, long long n, const void* from, int type, int order,
                         bool transposed, long long row, long long column, long long batch,
                         Work* to, long long first_column, long long first_product) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (i >= m || j >= n) return;
  const long long at =
      z * batch + place_of(order, row, column, transposed ? j : i, transposed ? i : j);
  Work& place = to[i + (j + z * n) * m];
  of_type(type, [&](auto example) {
    place = loaded<Work>(static_cast<const decltype(example)*>(from)[at]);
  });
}

template <typename Work>
__global__ void store_any(long long m, long long n, const Work* from, const float* scale, void* to,
                          int type, int order, bool transposed, long long row, long long column,
                          long long batch, long long first_column, long long first_product) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (i >= m || j >= n) return;
  const long long at =
      z * batch + place_of(order, row, column, transposed ? j : i, transposed ? i : j);
  Work value = from[i + (j + z * n) * m];
  if (scale) value = static_cast<Work>(value * *scale);
  of_type(type,
          [&](auto example) { static_cast<decltype(example)*>(to)[at] = stored(value, example); });
}

/// The same, of matrices behind pointers.
template <typename Work>
__global__ void load_each(long long m, long long n, const void* const* from, int type, int order,
                          bool transposed, long long row, long long column, Work* to,
                          long long first_column, long long first_product) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (i >= m || j >= n) return;
  const long long at = place_of(order, row, column, transposed ? j : i, transposed ? i : j);
  const void* const matrix = from[z];
  Work& place = to[i + (j + z * n) * m];
  of_type(type, [&](auto example) {
    place = loaded<Work>(static_cast<const decltype(example)*>(matrix)[at]);
  });
}
template <typename Work>
__global__ void store_each(long long m, long long n, const Work* from, const float* scale,
                           void* const* to, int type, int order, long long row, long long column,
                           long long first_column, long long first_product) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (i >= m || j >= n) return;
  Work value = from[i + (j + z * n) * m];
  if (scale) value = static_cast<Work>(value * *scale);
  void* const matrix = to[z];
  of_type(type, [&](auto example) {
    static_cast<decltype(example)*>(matrix)[place_of(order, row, column, i, j)] =
        stored(value, example);
  });
}

/// Numbers of 4 bits, two in a byte.
__global__ void load_nibbles(long long m, long long n, const unsigned char* from, bool transposed,
                             long long row, long long column, long long batch, float* to,
                             long long first_column, long long first_product) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (i >= m || j >= n) return;
  const long long at = z * batch + (transposed ? j : i) * row + (transposed ? i : j) * column;
  const int bits = from[at >> 1] >> (at & 1 ? 4 : 0) & 15;
  to[i + (j + z * n) * m] = __half2float(
      __half(__nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(bits), __NV_E2M1)));
}

/// The real parts of a matrix, `offset` 0, or the imaginary ones, 1.
__global__ void load_parts(long long m, long long n, const void* from, int type, bool transposed,
                           long long row, long long column, long long batch, float* to, int offset,
                           long long first_column, long long first_product) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (i >= m || j >= n) return;
  const long long at = z * batch + (transposed ? j : i) * row + (transposed ? i : j) * column;
  float& place = to[2 * (i + (j + z * n) * m) + offset];
  of_type(type, [&](auto example) {
    place = loaded<float>(static_cast<const decltype(example)*>(from)[at]);
  });
}
__global__ void store_parts(long long m, long long n, const float* from, int offset, void* to,
                            int type, long long row, long long column, long long batch,
                            long long first_column, long long first_product) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const long long z = first_product + blockIdx.z;
  if (i >= m || j >= n) return;
  const long long at = z * batch + i * row + j * column;
  const float value = from[2 * (i + (j + z * n) * m) + offset];
  of_type(type,
          [&](auto example) { static_cast<decltype(example)*>(to)[at] = stored(value, example); });
}

/// Factors of vectors lie in tiles of 128 lines and 4 vectors.
__host__ __device__ inline long long place_of_factor(long long line, long long vector,
                                                     long long vectors) {
  const long long in_line = (vectors + 3) / 4 * 4;
  return ((line >> 7) * in_line + (vector >> 2 << 2)) * 128 + (line & 31) * 16 +
         ((line & 127) >> 5) * 4 + (vector & 3);
}

__device__ inline float scale_of(unsigned char bits, bool is_power) {
  if (is_power) return __bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(bits)));
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(bits & 0x7f, __NV_E4M3)));
}

__global__ void apply_factors(long long m, long long n, bool along_rows, int kind,
                              const void* factors, float* x, long long first_column) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  const long long line = along_rows ? i : j, along = along_rows ? j : i;
  const long long lines = along_rows ? m : n, length = along_rows ? n : m;
  const auto* const bytes = static_cast<const unsigned char*>(factors);
  const auto* const numbers = static_cast<const float*>(factors);
  float factor = 1;
  switch (static_cast<Factors>(kind)) {
    case Factors::vectors_16:
      factor = scale_of(bytes[place_of_factor(line, along >> 4, (length + 15) >> 4)], false);
      break;
    case Factors::vectors_32:
      factor = scale_of(bytes[place_of_factor(line, along >> 5, (length + 31) >> 5)], true);
      break;
    case Factors::lines:
      factor = numbers[line];
      break;
    case Factors::vectors_128:
      factor = numbers[line + (along >> 7) * lines];
      break;
    case Factors::blocks_128:
      factor = numbers[(along >> 7) + (line >> 7) * ((((length + 127) >> 7) + 3) / 4 * 4)];
      break;
    default:
      break;
  }
  x[i + j * m] *= factor;
}

/// A thread for each vector.
__global__ void store_vectors(long long m, long long n, const float* from, const float* scale,
                              unsigned char* to, int type, long long lead, unsigned char* factors,
                              long long first_column) {
  const long long v = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long j = first_column + blockIdx.y * (long long)blockDim.y + threadIdx.y;
  const bool is_nibbles = type == CUDA_R_4F_E2M1;
  const long long length = is_nibbles ? 16 : 32, vectors = (m + length - 1) / length;
  if (v >= vectors || j >= n) return;
  const long long begin = v * length, end = begin + length < m ? begin + length : m;
  const float in_scale = scale ? *scale : 1.0f;
  float most = 0;
  for (long long i = begin; i < end; ++i) most = fmaxf(most, fabsf(from[i + j * m] * in_scale));
  unsigned char factor;
  float reciprocal;
  if (is_nibbles) {
    factor = __nv_cvt_float_to_fp8(most / 6.0f, __NV_SATFINITE, __NV_E4M3);
    const float rounded = scale_of(factor, false);
    reciprocal = rounded > 0 ? 1.0f / rounded : 0.0f;
  } else {
    const unsigned bits = __float_as_uint(most / (type == CUDA_R_8F_E4M3 ? 448.0f : 57344.0f));
    unsigned exponent = bits >> 23;
    const unsigned fraction = bits & 0x7fffff;
    if (exponent == 0 ? fraction > 0x400000 : exponent < 254 && fraction > 0) ++exponent;
    factor = static_cast<unsigned char>(exponent);
    reciprocal = 1.0f / scale_of(factor, true);
  }
  factors[place_of_factor(j, v, vectors)] = factor;
  for (long long i = begin; i < end; ++i) {
    const float value = from[i + j * m] * in_scale * reciprocal;
    const long long at = i + j * lead;
    if (is_nibbles) {
      const unsigned low = __nv_cvt_float_to_fp4(value, __NV_E2M1, cudaRoundNearest);
      const bool has_high = i + 1 < end;
      const float next = has_high ? from[i + 1 + j * m] * in_scale * reciprocal : 0.0f;
      const unsigned high =
          has_high ? __nv_cvt_float_to_fp4(next, __NV_E2M1, cudaRoundNearest) : to[at >> 1] >> 4;
      to[at >> 1] = static_cast<unsigned char>(low | high << 4);
      ++i;
    } else {
      to[at] = __nv_cvt_float_to_fp8(value, __NV_SATFINITE,
                                     type == CUDA_R_8F_E4M3 ? __NV_E4M3 : __NV_E5M2);
    }
  }
}

/// One matrix by columns or by rows, of sizes that an int holds: with exact boxes, so that parts of
/// the grid can run on different devices.
template <typename Work, typename T, bool by_rows>
__global__ void load_lines(int m, int n, const T* from, int lead, Work* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n) to[i + j * m] = loaded<Work>(from[by_rows ? j + i * lead : i + j * lead]);
}
template <typename Work, typename T>
__global__ void store_columns(int m, int n, const Work* from, T* to, int lead) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n) to[i + j * lead] = stored(from[i + j * m], T{});
}

template <typename Work>
__global__ void number(Work value, const void* place, int type, const float* factor,
                       const float* other, Work* to) {
  Work result = value;
  if (place)
    of_type(type, [&](auto example) {
      result = loaded<Work>(*static_cast<const decltype(example)*>(place));
    });
  if (factor) result = static_cast<Work>(result * *factor);
  if (other) result = static_cast<Work>(result * *other);
  *to = result;
}

constexpr unsigned rows_of_block = 32, columns_of_block = 8;
constexpr std::int64_t most = 65535;

unsigned pieces(std::int64_t count, unsigned size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

/// `start` gets the grid, the first column and the first product.
template <typename Start>
cudaError_t for_blocks(std::int64_t m, std::int64_t n, std::int64_t batch_count, Start start) {
  constexpr std::int64_t most_columns = most * columns_of_block;
  if (m <= 0) return cudaSuccess;
  for (std::int64_t z = 0; z < batch_count; z += most)
    for (std::int64_t j = 0; j < n; j += most_columns) {
      const dim3 grid(pieces(m, rows_of_block),
                      pieces(std::min(n - j, most_columns), columns_of_block),
                      static_cast<unsigned>(std::min(batch_count - z, most)));
      if (const cudaError_t error = start(grid, j, z); error != cudaSuccess) return error;
    }
  return cudaSuccess;
}

/// Lines of one matrix whose subscripts an int holds.
bool has_lines(std::int64_t m, std::int64_t n, std::int64_t batch_count, const TypedMatrix& x) {
  const auto fits = [](std::int64_t lead, std::int64_t count) {
    return lead > 0 && count <= INT32_MAX && lead <= INT32_MAX / std::max<std::int64_t>(count, 1);
  };
  return batch_count == 1 && !x.array && x.placement.order == ElementOrder::steps &&
         m <= INT32_MAX - 64 && n <= most * columns_of_block && fits(m, n) &&
         (x.placement.row == 1 ? fits(x.placement.column, std::max(m, n))
                               : x.placement.column == 1 && fits(x.placement.row, std::max(m, n)));
}

template <typename Work, typename T>
cudaError_t load_typed_lines(int m, int n, const TypedMatrix& x, Work* to, cudaStream_t stream) {
  const bool lies_by_rows = (x.placement.row != 1) != x.transposed;
  const auto lead = static_cast<int>(x.placement.row == 1 ? x.placement.column : x.placement.row);
  return start_kernel(lies_by_rows ? load_lines<Work, T, true> : load_lines<Work, T, false>,
                      dim3(pieces(m, rows_of_block), pieces(n, columns_of_block)),
                      dim3(rows_of_block, columns_of_block), stream, m, n,
                      static_cast<const T*>(x.base), lead, to);
}

template <typename Work, typename T>
cudaError_t store_typed_columns(int m, int n, const Work* from, const TypedMatrix& x,
                                cudaStream_t stream) {
  return start_kernel(
      store_columns<Work, T>, dim3(pieces(m, rows_of_block), pieces(n, columns_of_block)),
      dim3(rows_of_block, columns_of_block), stream, m, n, from,
      static_cast<T*>(const_cast<void*>(x.base)), static_cast<int>(x.placement.column));
}

}  // namespace

template <typename Work>
cudaError_t launch_load(std::int64_t m, std::int64_t n, std::int64_t batch_count,
                        const TypedMatrix& from, Work* to, cudaStream_t stream) {
  if (m <= 0 || n <= 0 || batch_count <= 0) return cudaSuccess;
  if (has_lines(m, n, batch_count, from)) {
    const int rows = static_cast<int>(m), columns = static_cast<int>(n);
    if constexpr (std::is_same_v<Work, float>) {
      if (from.type == CUDA_R_16F)
        return load_typed_lines<float, __half>(rows, columns, from, to, stream);
      if (from.type == CUDA_R_16BF)
        return load_typed_lines<float, __nv_bfloat16>(rows, columns, from, to, stream);
      if (from.type == CUDA_R_8F_E4M3)
        return load_typed_lines<float, E4m3>(rows, columns, from, to, stream);
    }
    if constexpr (std::is_same_v<Work, int>)
      if (from.type == CUDA_R_8I)
        return load_typed_lines<int, signed char>(rows, columns, from, to, stream);
  }
  if constexpr (std::is_same_v<Work, float>)
    if (from.type == CUDA_R_4F_E2M1)
      return for_blocks(m, n, batch_count, [&](dim3 grid, std::int64_t j, std::int64_t z) {
        return start_kernel(load_nibbles, grid, dim3(rows_of_block, columns_of_block), stream, m, n,
                            static_cast<const unsigned char*>(from.base), from.transposed,
                            from.placement.row, from.placement.column, from.placement.batch, to, j,
                            z);
      });
  if (from.array)
    return for_blocks(m, n, batch_count, [&](dim3 grid, std::int64_t j, std::int64_t z) {
      return start_kernel(load_each<Work>, grid, dim3(rows_of_block, columns_of_block), stream, m,
                          n, from.array, static_cast<int>(from.type),
                          static_cast<int>(from.placement.order), from.transposed,
                          from.placement.row, from.placement.column, to, j, z);
    });
  return for_blocks(m, n, batch_count, [&](dim3 grid, std::int64_t j, std::int64_t z) {
    return start_kernel(load_any<Work>, grid, dim3(rows_of_block, columns_of_block), stream, m, n,
                        from.base, static_cast<int>(from.type),
                        static_cast<int>(from.placement.order), from.transposed, from.placement.row,
                        from.placement.column, from.placement.batch, to, j, z);
  });
}

template <typename Work>
cudaError_t launch_store(std::int64_t m, std::int64_t n, std::int64_t batch_count, const Work* from,
                         const float* scale, const TypedMatrix& to, cudaStream_t stream) {
  if constexpr (std::is_same_v<Work, float>)
    if (!scale && to.placement.row == 1 && !to.transposed && has_lines(m, n, batch_count, to)) {
      const int rows = static_cast<int>(m), columns = static_cast<int>(n);
      if (to.type == CUDA_R_16F)
        return store_typed_columns<float, __half>(rows, columns, from, to, stream);
      if (to.type == CUDA_R_16BF)
        return store_typed_columns<float, __nv_bfloat16>(rows, columns, from, to, stream);
    }
  if (to.array)
    return for_blocks(m, n, batch_count, [&](dim3 grid, std::int64_t j, std::int64_t z) {
      return start_kernel(store_each<Work>, grid, dim3(rows_of_block, columns_of_block), stream, m,
                          n, from, scale, const_cast<void* const*>(to.array),
                          static_cast<int>(to.type), static_cast<int>(to.placement.order),
                          to.placement.row, to.placement.column, j, z);
    });
  return for_blocks(m, n, batch_count, [&](dim3 grid, std::int64_t j, std::int64_t z) {
    return start_kernel(store_any<Work>, grid, dim3(rows_of_block, columns_of_block), stream, m, n,
                        from, scale, const_cast<void*>(to.base), static_cast<int>(to.type),
                        static_cast<int>(to.placement.order), to.transposed, to.placement.row,
                        to.placement.column, to.placement.batch, j, z);
  });
}

template <typename Work>
cudaError_t launch_number(Scalar<Work> value, const void* place, cudaDataType type,
                          const float* factor, const float* other, Work* to, cudaStream_t stream) {
  return start_kernel(number<Work>, 1, 1, stream, value.value, place, static_cast<int>(type),
                      factor, other, to);
}

namespace {

/// The type of a part of a complex number.
int part_type(cudaDataType type) {
  return type == CUDA_C_16F ? CUDA_R_16F : type == CUDA_C_16BF ? CUDA_R_16BF : CUDA_R_32F;
}

}  // namespace

cudaError_t launch_load_planes(std::int64_t m, std::int64_t n, std::int64_t batch_count,
                               const TypedMatrix& from, cuComplex* to, cudaStream_t stream) {
  for (int part = 0; part < 2; ++part) {
    const void* const base = static_cast<const char*>(from.base) + part * from.plane;
    const cudaError_t error =
        for_blocks(m, n, batch_count, [&](dim3 grid, std::int64_t j, std::int64_t z) {
          return start_kernel(load_parts, grid, dim3(rows_of_block, columns_of_block), stream, m, n,
                              base, part_type(from.type), from.transposed, from.placement.row,
                              from.placement.column, from.placement.batch,
                              reinterpret_cast<float*>(to), part, j, z);
        });
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t launch_store_planes(std::int64_t m, std::int64_t n, std::int64_t batch_count,
                                const cuComplex* from, const TypedMatrix& to, cudaStream_t stream) {
  for (int part = 0; part < 2; ++part) {
    void* const base = static_cast<char*>(const_cast<void*>(to.base)) + part * to.plane;
    const cudaError_t error =
        for_blocks(m, n, batch_count, [&](dim3 grid, std::int64_t j, std::int64_t z) {
          return start_kernel(store_parts, grid, dim3(rows_of_block, columns_of_block), stream, m,
                              n, reinterpret_cast<const float*>(from), part, base,
                              part_type(to.type), to.placement.row, to.placement.column,
                              to.placement.batch, j, z);
        });
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t launch_factors(std::int64_t m, std::int64_t n, bool along_rows, Factors kind,
                           const void* factors, float* x, cudaStream_t stream) {
  return for_blocks(m, n, 1, [&](dim3 grid, std::int64_t j, std::int64_t) {
    return start_kernel(apply_factors, grid, dim3(rows_of_block, columns_of_block), stream, m, n,
                        along_rows, static_cast<int>(kind), factors, x, j);
  });
}

cudaError_t launch_store_vectors(std::int64_t m, std::int64_t n, const float* from,
                                 const float* scale, const TypedMatrix& to, void* factors,
                                 cudaStream_t stream) {
  const std::int64_t length = to.type == CUDA_R_4F_E2M1 ? 16 : 32;
  return for_blocks((m + length - 1) / length, n, 1, [&](dim3 grid, std::int64_t j, std::int64_t) {
    return start_kernel(store_vectors, grid, dim3(rows_of_block, columns_of_block), stream, m, n,
                        from, scale, static_cast<unsigned char*>(const_cast<void*>(to.base)),
                        static_cast<int>(to.type), to.placement.column,
                        static_cast<unsigned char*>(factors), j);
  });
}

#define GRIDSPAN_ELEMENTS(Work)                                                                   \
  template cudaError_t launch_load<Work>(std::int64_t, std::int64_t, std::int64_t,                \
                                         const TypedMatrix&, Work*, cudaStream_t);                \
  template cudaError_t launch_store<Work>(std::int64_t, std::int64_t, std::int64_t, const Work*,  \
                                          const float*, const TypedMatrix&, cudaStream_t);        \
  template cudaError_t launch_number<Work>(Scalar<Work>, const void*, cudaDataType, const float*, \
                                           const float*, Work*, cudaStream_t);
GRIDSPAN_ELEMENTS(float)
GRIDSPAN_ELEMENTS(double)
GRIDSPAN_ELEMENTS(int)

}  // namespace gridspan::libraries::blas
