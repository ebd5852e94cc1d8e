// Matrices of any element type and order: the kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/elements.h"

#include "libraries/blas/kernels/numbers.h"
#include "libraries/support/start_kernel.h"

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
  return batch_count == 1 && x.placement.order == ElementOrder::steps && m <= INT32_MAX - 64 &&
         n <= most * columns_of_block && fits(m, n) &&
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
