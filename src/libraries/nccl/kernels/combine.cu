// A thread for each element, with up to eight arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/kernels/combine.h"

#include "libraries/support/start_kernel.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <array>
#include <cstdint>
#include <type_traits>

namespace gridspan::libraries::nccl {
namespace {

constexpr std::size_t most_arrays = 8;
constexpr unsigned block = 256;

/// What elements are combined as.
template <typename T>
struct Wide {
  using Type = T;
};
template <>
struct Wide<__half> {
  using Type = float;
};
template <>
struct Wide<__nv_bfloat16> {
  using Type = float;
};
template <>
struct Wide<__nv_fp8_e4m3> {
  using Type = float;
};
template <>
struct Wide<__nv_fp8_e5m2> {
  using Type = float;
};
/// Whole numbers wrap.
template <>
struct Wide<std::int8_t> {
  using Type = std::uint32_t;
};
template <>
struct Wide<std::uint8_t> {
  using Type = std::uint32_t;
};
template <>
struct Wide<std::int32_t> {
  using Type = std::uint32_t;
};
template <>
struct Wide<std::int64_t> {
  using Type = std::uint64_t;
};

struct Sum {
  template <typename T>
  static __device__ T of(T a, T b) {
    using W = typename Wide<T>::Type;
    return static_cast<T>(static_cast<W>(a) + static_cast<W>(b));
  }
};
struct Product {
  template <typename T>
  static __device__ T of(T a, T b) {
    using W = typename Wide<T>::Type;
    return static_cast<T>(static_cast<W>(a) * static_cast<W>(b));
  }
};
/// Not a number wins, whichever array it is in.
struct Maximum {
  template <typename T>
  static __device__ T of(T a, T b) {
    return a != a || a > b ? a : b;
  }
};
struct Minimum {
  template <typename T>
  static __device__ T of(T a, T b) {
    return a != a || a < b ? a : b;
  }
};

/// Bytes do not hold a large number of ranks.
template <typename V>
__device__ V quotient(V value, int divisor) {
  if constexpr (std::is_integral_v<V> && sizeof(V) < sizeof(int))
    return static_cast<V>(static_cast<int>(value) / divisor);
  else
    return static_cast<V>(value / static_cast<V>(divisor));
}

/// Small types of real numbers are read and combined as float; others as they are.
template <typename T>
using Carried = std::conditional_t<std::is_same_v<typename Wide<T>::Type, float>, float, T>;

template <typename T, typename Operation>
__global__ void combine_some(T* out, const T* a, const T* b, const T* c, const T* d, const T* e,
                             const T* f, const T* g, const T* h, int arrays, int divisor,
                             long long count) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  using V = Carried<T>;
  V value = static_cast<V>(a[i]);
  if (arrays > 1) value = Operation::of(value, static_cast<V>(b[i]));
  if (arrays > 2) value = Operation::of(value, static_cast<V>(c[i]));
  if (arrays > 3) value = Operation::of(value, static_cast<V>(d[i]));
  if (arrays > 4) value = Operation::of(value, static_cast<V>(e[i]));
  if (arrays > 5) value = Operation::of(value, static_cast<V>(f[i]));
  if (arrays > 6) value = Operation::of(value, static_cast<V>(g[i]));
  if (arrays > 7) value = Operation::of(value, static_cast<V>(h[i]));
  if (divisor != 1) value = quotient(value, divisor);
  out[i] = static_cast<T>(value);
}

/// A sum of products, rounded as sum and product are. `is_begun`: the first array is what is there
/// so far, which has no factor.
template <typename T>
__global__ void combine_scaled(T* out, const T* a, const T* b, const T* c, const T* d, const T* e,
                               const T* f, const T* g, const T* h, const T* factors, int is_begun,
                               int arrays, long long count) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  using V = Carried<T>;
  const auto scaled = [&](const T* array, int index) {
    return Product::of(static_cast<V>(array[i]), static_cast<V>(factors[index - is_begun]));
  };
  V value = is_begun ? static_cast<V>(a[i]) : scaled(a, 0);
  if (arrays > 1) value = Sum::of(value, scaled(b, 1));
  if (arrays > 2) value = Sum::of(value, scaled(c, 2));
  if (arrays > 3) value = Sum::of(value, scaled(d, 3));
  if (arrays > 4) value = Sum::of(value, scaled(e, 4));
  if (arrays > 5) value = Sum::of(value, scaled(f, 5));
  if (arrays > 6) value = Sum::of(value, scaled(g, 6));
  if (arrays > 7) value = Sum::of(value, scaled(h, 7));
  out[i] = static_cast<T>(value);
}

/// The first launch writes `out`, which a later one would read as an array of its own.
bool is_read_later(const std::vector<const void*>& in, const void* out) {
  for (std::size_t i = most_arrays; i < in.size(); ++i)
    if (in[i] == out) return true;
  return false;
}

template <typename T, typename Operation>
cudaError_t start(const std::vector<const void*>& in, void* out, std::size_t count, bool averages,
                  cudaStream_t stream, const void* factors = nullptr) {
  if (is_read_later(in, out)) {
    void* apart = nullptr;
    cudaError_t error = cudaMallocAsync(&apart, count * sizeof(T), stream);
    if (error != cudaSuccess) return error;
    error = start<T, Operation>(in, apart, count, averages, stream, factors);
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(out, apart, count * sizeof(T), cudaMemcpyDeviceToDevice, stream);
    const cudaError_t freed = cudaFreeAsync(apart, stream);
    return error == cudaSuccess ? freed : error;
  }
  const dim3 grid(static_cast<unsigned>((count + block - 1) / block));
  cudaError_t error = cudaSuccess;
  std::size_t done = 0;
  while (done < in.size() && error == cudaSuccess) {
    // What is there so far is the first array of the next launch.
    std::array<const T*, most_arrays> arrays{};
    std::size_t taken = 0;
    const T* const next_factors = static_cast<const T*>(factors) + done;
    const bool is_begun = done != 0;
    if (is_begun) arrays[taken++] = static_cast<const T*>(out);
    while (taken < most_arrays && done < in.size())
      arrays[taken++] = static_cast<const T*>(in[done++]);
    for (std::size_t i = taken; i < most_arrays; ++i) arrays[i] = arrays[0];  // not read
    const int divisor = averages && done == in.size() ? static_cast<int>(in.size()) : 1;
    const auto launch = [&](auto* kernel, auto... more) {
      return start_kernel(kernel, grid, dim3(block), stream, static_cast<T*>(out), arrays[0],
                          arrays[1], arrays[2], arrays[3], arrays[4], arrays[5], arrays[6],
                          arrays[7], more..., static_cast<long long>(count));
    };
    const int many = static_cast<int>(taken);
    error = factors ? launch(combine_scaled<T>, next_factors, static_cast<int>(is_begun), many)
                    : launch(combine_some<T, Operation>, many, divisor);
  }
  return error;
}

template <typename T>
cudaError_t start_of(const std::vector<const void*>& in, void* out, std::size_t count,
                     ncclRedOp_t op, const void* factors, cudaStream_t stream) {
  if (factors) return start<T, Sum>(in, out, count, false, stream, factors);
  switch (op) {
    case ncclSum:
    case ncclAvg:
      return start<T, Sum>(in, out, count, op == ncclAvg, stream);
    case ncclProd:
      return start<T, Product>(in, out, count, false, stream);
    case ncclMax:
      return start<T, Maximum>(in, out, count, false, stream);
    case ncclMin:
      return start<T, Minimum>(in, out, count, false, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaError_t combine(const std::vector<const void*>& in, void* out, std::size_t count,
                    ncclDataType_t type, ncclRedOp_t op, const void* factors, cudaStream_t stream) {
  switch (type) {
    case ncclInt8:
      return start_of<std::int8_t>(in, out, count, op, factors, stream);
    case ncclUint8:
      return start_of<std::uint8_t>(in, out, count, op, factors, stream);
    case ncclInt32:
      return start_of<std::int32_t>(in, out, count, op, factors, stream);
    case ncclUint32:
      return start_of<std::uint32_t>(in, out, count, op, factors, stream);
    case ncclInt64:
      return start_of<std::int64_t>(in, out, count, op, factors, stream);
    case ncclUint64:
      return start_of<std::uint64_t>(in, out, count, op, factors, stream);
    case ncclFloat16:
      return start_of<__half>(in, out, count, op, factors, stream);
    case ncclFloat32:
      return start_of<float>(in, out, count, op, factors, stream);
    case ncclFloat64:
      return start_of<double>(in, out, count, op, factors, stream);
    case ncclBfloat16:
      return start_of<__nv_bfloat16>(in, out, count, op, factors, stream);
    case ncclFloat8e4m3:
      return start_of<__nv_fp8_e4m3>(in, out, count, op, factors, stream);
    case ncclFloat8e5m2:
      return start_of<__nv_fp8_e5m2>(in, out, count, op, factors, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace gridspan::libraries::nccl
