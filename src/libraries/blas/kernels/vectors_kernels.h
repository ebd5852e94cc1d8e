// Operations on vectors: the kernels. Included by a file for each group of element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/numbers.h"
#include "libraries/blas/kernels/vectors.h"
#include "libraries/support/start_kernel.h"

#include <type_traits>

namespace gridspan::libraries::blas {
namespace detail {

constexpr unsigned vector_block = 256;

/// Elements side by side, of a count that an int holds: subscripts as the analysis of kernels knows
/// them.
template <typename T>
struct Neighbours {
  using Index = int;
  __device__ static T& at(T* start, long long, int i) { return start[i]; }
};
template <typename T>
struct Apart {
  using Index = long long;
  __device__ static T& at(T* start, long long step, long long i) { return start[i * step]; }
};

/// This thread's element.
template <typename Index>
__device__ inline Index element_index() {
  return blockIdx.x * static_cast<Index>(blockDim.x) + threadIdx.x;
}

__device__ inline cuComplex scaled(float a, cuComplex x) {
  return make_cuComplex(a * x.x, a * x.y);
}
__device__ inline cuDoubleComplex scaled(double a, cuDoubleComplex x) {
  return make_cuDoubleComplex(a * x.x, a * x.y);
}
template <typename T>
__device__ inline T scaled(T a, T x) {
  return product(a, x);
}

template <template <typename> class Elements, typename Scale, typename T>
__global__ void scal(long long count, Scale value, const Scale* place, T* x, long long step) {
  const auto i = element_index<typename Elements<T>::Index>();
  if (i >= count) return;
  T& element = Elements<T>::at(x, step, i);
  element = scaled(place ? *place : value, element);
}

template <template <typename> class Elements, typename T>
__global__ void axpy(long long count, T value, const T* place, const T* x, long long x_step, T* y,
                     long long y_step) {
  const auto i = element_index<typename Elements<T>::Index>();
  if (i >= count) return;
  T& element = Elements<T>::at(y, y_step, i);
  element = added(element, place ? *place : value, Elements<const T>::at(x, x_step, i));
}

template <template <typename> class Elements, typename T>
__global__ void copy(long long count, const T* x, long long x_step, T* y, long long y_step) {
  const auto i = element_index<typename Elements<T>::Index>();
  if (i < count) Elements<T>::at(y, y_step, i) = Elements<const T>::at(x, x_step, i);
}

template <template <typename> class Elements, typename T>
__global__ void swap(long long count, T* x, long long x_step, T* y, long long y_step) {
  const auto i = element_index<typename Elements<T>::Index>();
  if (i >= count) return;
  T& a = Elements<T>::at(x, x_step, i);
  T& b = Elements<T>::at(y, y_step, i);
  const T kept = a;
  a = b;
  b = kept;
}

template <typename... Vectors>
bool are_neighbours(std::int64_t count, const Vectors&... vectors) {
  return count <= INT32_MAX - vector_block && (... && (vectors.step == 1));
}

inline dim3 vector_grid(std::int64_t count) {
  return static_cast<unsigned>((count + vector_block - 1) / vector_block);
}

// --- sums and searches: chunks of fixed places, each to one value; then those values

constexpr int chunk = 4096;

/// What a sum adds up, and how.
template <typename T>
struct Plain {
  using Value = T;
  __device__ static Value nothing() { return zero<T>(); }
  __device__ static Value combined(Value a, Value b) { return added(a, b, Value(1)); }
};
template <>
struct Plain<cuComplex> {
  using Value = cuComplex;
  __device__ static Value nothing() { return make_cuComplex(0, 0); }
  __device__ static Value combined(Value a, Value b) { return cuCaddf(a, b); }
};
template <>
struct Plain<cuDoubleComplex> {
  using Value = cuDoubleComplex;
  __device__ static Value nothing() { return make_cuDoubleComplex(0, 0); }
  __device__ static Value combined(Value a, Value b) { return cuCadd(a, b); }
};

/// Half precision is summed in float.
template <typename T>
struct SumType {
  using type = T;
};
template <>
struct SumType<__half> {
  using type = float;
};
template <>
struct SumType<__nv_bfloat16> {
  using type = float;
};

template <typename In, typename Out, bool conjugates>
struct Dot : Plain<typename SumType<In>::type> {
  using Value = typename SumType<In>::type;
  static constexpr bool takes_two = true;
  __device__ static Value element(In x, In y, long long) {
    return product(conjugate(Conversion<Value, In>::of(x), conjugates),
                   Conversion<Value, In>::of(y));
  }
  __device__ static Out result(Value value) { return Conversion<Out, Value>::of(value); }
};

template <typename T>
__device__ inline T absolute(T x) {
  return x < 0 ? -x : x;
}
__device__ inline float absolute(cuComplex x) { return absolute(x.x) + absolute(x.y); }
__device__ inline double absolute(cuDoubleComplex x) { return absolute(x.x) + absolute(x.y); }
__device__ inline float absolute(__half x) { return absolute(__half2float(x)); }
__device__ inline float absolute(__nv_bfloat16 x) { return absolute(__bfloat162float(x)); }

template <typename In, typename Out>
struct Absolute : Plain<Out> {
  static constexpr bool takes_two = false;
  __device__ static Out element(In x, In, long long) { return absolute(x); }
  __device__ static Out result(Out value) { return value; }
};

/// scale^2 times sum: squares neither overflow nor vanish.
struct Squares {
  double scale, sum;
};
template <typename In, typename Out>
struct Norm {
  using Value = Squares;
  static constexpr bool takes_two = false;
  __device__ static Value nothing() { return {0, 0}; }
  __device__ static Value of(double x) { return {absolute(x), x == 0 ? 0.0 : x == x ? 1.0 : x}; }
  __device__ static Value combined(Value a, Value b) {
    if (b.sum == 0) return a;
    if (a.sum == 0) return b;
    const bool a_is_larger = a.scale >= b.scale;
    const Value large = a_is_larger ? a : b, small = a_is_larger ? b : a;
    const double ratio = large.scale == small.scale ? 1.0 : small.scale / large.scale;
    return {large.scale, large.sum + small.sum * ratio * ratio};
  }
  template <typename Real>
  __device__ static Value element(Real x, Real, long long) {
    return of(x);
  }
  __device__ static Value element(cuComplex x, cuComplex, long long) {
    return combined(of(x.x), of(x.y));
  }
  __device__ static Value element(cuDoubleComplex x, cuDoubleComplex, long long) {
    return combined(of(x.x), of(x.y));
  }
  __device__ static Out result(Value value) {
    return static_cast<Out>(value.sum == 0 ? 0.0 : value.scale * sqrt(value.sum));
  }
};

/// Of 16-bit numbers.
template <typename T>
struct ShortAbsolute : Absolute<float, float> {
  __device__ static float element(T x, T, long long) { return absolute(x); }
  __device__ static T result(float value) { return Conversion<T, float>::of(value); }
};
template <typename T>
struct ShortNorm : Norm<float, float> {
  __device__ static Value element(T x, T, long long) { return of(Conversion<float, T>::of(x)); }
  __device__ static T result(Value value) {
    return Conversion<T, float>::of(Norm<float, float>::result(value));
  }
};

struct Found {
  double value;
  long long place;  // 0: none
};
template <typename In, typename Index, bool largest>
struct Search {
  using Value = Found;
  static constexpr bool takes_two = false;
  __device__ static Value nothing() { return {0, 0}; }
  __device__ static Value element(In x, In, long long i) {
    return {static_cast<double>(absolute(x)), i + 1};
  }
  __device__ static Value combined(Value a, Value b) {
    if (a.place == 0) return b;
    if (b.place == 0) return a;
    if (a.value == b.value) return a.place < b.place ? a : b;
    return (largest ? b.value > a.value : b.value < a.value) ? b : a;
  }
  __device__ static Index result(Value value) { return static_cast<Index>(value.place); }
};

/// All threads' values in an order that depends on nothing.
template <typename Operation>
__device__ inline typename Operation::Value of_block(typename Operation::Value value) {
  __shared__ typename Operation::Value tree[vector_block];
  const unsigned t = threadIdx.x;
  tree[t] = value;
  __syncthreads();
  for (unsigned width = vector_block / 2; width > 0; width /= 2) {
    if (t < width) tree[t] = Operation::combined(tree[t], tree[t + width]);
    __syncthreads();
  }
  return tree[0];
}

template <typename Operation, typename In>
__global__ void reduce_chunks(long long count, const In* x, long long x_step, const In* y,
                              long long y_step, typename Operation::Value* partial) {
  typename Operation::Value value = Operation::nothing();
  for (int r = 0; r < chunk / static_cast<int>(vector_block); ++r) {
    const long long i = blockIdx.x * static_cast<long long>(chunk) + r * vector_block + threadIdx.x;
    if (i < count) {
      const In a = x[i * x_step];
      if constexpr (Operation::takes_two)
        value = Operation::combined(value, Operation::element(a, y[i * y_step], i));
      else
        value = Operation::combined(value, Operation::element(a, a, i));
    }
  }
  value = of_block<Operation>(value);
  if (threadIdx.x == 0) partial[blockIdx.x] = value;
}

template <typename Operation, typename Out>
__global__ void reduce_partial(int count, const typename Operation::Value* partial, Out* result) {
  typename Operation::Value value = Operation::nothing();
  for (int i = threadIdx.x; i < count; i += vector_block)
    value = Operation::combined(value, partial[i]);
  value = of_block<Operation>(value);
  if (threadIdx.x == 0) *result = Operation::result(value);
}

template <typename Operation, typename In, typename Out>
cudaError_t reduce(std::int64_t count, Vector<const In> x, Vector<const In> y, Out* result,
                   cudaStream_t stream) {
  const std::int64_t chunks = (count + chunk - 1) / chunk;
  using Value = typename Operation::Value;
  void* partial = nullptr;
  cudaError_t error =
      cudaMallocAsync(&partial, static_cast<std::size_t>(chunks) * sizeof(Value), stream);
  if (error != cudaSuccess) return error;
  Value* const values = static_cast<Value*>(partial);
  error = start_kernel(reduce_chunks<Operation, In>, dim3(static_cast<unsigned>(chunks)),
                       vector_block, stream, count, x.start, x.step, y.start, y.step, values);
  if (error == cudaSuccess)
    error = start_kernel(reduce_partial<Operation, Out>, 1, vector_block, stream,
                         static_cast<int>(chunks), values, result);
  const cudaError_t freed = cudaFreeAsync(partial, stream);
  return error == cudaSuccess ? freed : error;
}

}  // namespace detail

template <typename Scale, typename T>
cudaError_t launch_scal(std::int64_t count, Scalar<Scale> alpha, Vector<T> x, cudaStream_t stream) {
  const auto kernel = detail::are_neighbours(count, x) ? detail::scal<detail::Neighbours, Scale, T>
                                                       : detail::scal<detail::Apart, Scale, T>;
  return start_kernel(kernel, detail::vector_grid(count), detail::vector_block, stream, count,
                      alpha.value, alpha.place, x.start, x.step);
}

template <typename T>
cudaError_t launch_axpy(std::int64_t count, Scalar<T> alpha, Vector<const T> x, Vector<T> y,
                        cudaStream_t stream) {
  const auto kernel = detail::are_neighbours(count, x, y) ? detail::axpy<detail::Neighbours, T>
                                                          : detail::axpy<detail::Apart, T>;
  return start_kernel(kernel, detail::vector_grid(count), detail::vector_block, stream, count,
                      alpha.value, alpha.place, x.start, x.step, y.start, y.step);
}

template <typename T>
cudaError_t launch_copy(std::int64_t count, Vector<const T> x, Vector<T> y, cudaStream_t stream) {
  const auto kernel = detail::are_neighbours(count, x, y) ? detail::copy<detail::Neighbours, T>
                                                          : detail::copy<detail::Apart, T>;
  return start_kernel(kernel, detail::vector_grid(count), detail::vector_block, stream, count,
                      x.start, x.step, y.start, y.step);
}

template <typename T>
cudaError_t launch_swap(std::int64_t count, Vector<T> x, Vector<T> y, cudaStream_t stream) {
  const auto kernel = detail::are_neighbours(count, x, y) ? detail::swap<detail::Neighbours, T>
                                                          : detail::swap<detail::Apart, T>;
  return start_kernel(kernel, detail::vector_grid(count), detail::vector_block, stream, count,
                      x.start, x.step, y.start, y.step);
}

template <typename In, typename Out>
cudaError_t launch_sum(Sum sum, std::int64_t count, Vector<const In> x, Vector<const In> y,
                       Out* result, cudaStream_t stream) {
  constexpr bool gives_elements = std::is_same_v<In, Out>;
  constexpr bool gives_reals = std::is_same_v<Out, float> || std::is_same_v<Out, double>;
  if constexpr (gives_elements) {
    if (sum == Sum::dot)
      return detail::reduce<detail::Dot<In, Out, false>>(count, x, y, result, stream);
    if (sum == Sum::dot_conjugated)
      return detail::reduce<detail::Dot<In, Out, true>>(count, x, y, result, stream);
  }
  if constexpr (!std::is_same_v<typename detail::SumType<In>::type, In>) {
    if (sum == Sum::norm) return detail::reduce<detail::ShortNorm<In>>(count, x, y, result, stream);
    if (sum == Sum::absolute)
      return detail::reduce<detail::ShortAbsolute<In>>(count, x, y, result, stream);
  }
  if constexpr (gives_reals) {
    if (sum == Sum::norm) return detail::reduce<detail::Norm<In, Out>>(count, x, y, result, stream);
    if (sum == Sum::absolute)
      return detail::reduce<detail::Absolute<In, Out>>(count, x, y, result, stream);
  }
  return cudaErrorInvalidValue;
}

template <typename In, typename Index>
cudaError_t launch_search(bool largest, std::int64_t count, Vector<const In> x, Index* result,
                          cudaStream_t stream) {
  return largest ? detail::reduce<detail::Search<In, Index, true>>(count, x, x, result, stream)
                 : detail::reduce<detail::Search<In, Index, false>>(count, x, x, result, stream);
}

/// The functions of an element type.
#define GRIDSPAN_VECTORS(T)                                                                      \
  template cudaError_t launch_scal<T, T>(std::int64_t, Scalar<T>, Vector<T>, cudaStream_t);      \
  template cudaError_t launch_axpy<T>(std::int64_t, Scalar<T>, Vector<const T>, Vector<T>,       \
                                      cudaStream_t);                                             \
  template cudaError_t launch_copy<T>(std::int64_t, Vector<const T>, Vector<T>, cudaStream_t);   \
  template cudaError_t launch_swap<T>(std::int64_t, Vector<T>, Vector<T>, cudaStream_t);         \
  template cudaError_t launch_sum<T, T>(Sum, std::int64_t, Vector<const T>, Vector<const T>, T*, \
                                        cudaStream_t);                                           \
  template cudaError_t launch_search<T, int>(bool, std::int64_t, Vector<const T>, int*,          \
                                             cudaStream_t);                                      \
  template cudaError_t launch_search<T, std::int64_t>(bool, std::int64_t, Vector<const T>,       \
                                                      std::int64_t*, cudaStream_t);
/// Those of complex numbers that take or give real ones.
#define GRIDSPAN_COMPLEX_VECTORS(T, R)                                                           \
  GRIDSPAN_VECTORS(T)                                                                            \
  template cudaError_t launch_scal<R, T>(std::int64_t, Scalar<R>, Vector<T>, cudaStream_t);      \
  template cudaError_t launch_sum<T, R>(Sum, std::int64_t, Vector<const T>, Vector<const T>, R*, \
                                        cudaStream_t);

}  // namespace gridspan::libraries::blas
