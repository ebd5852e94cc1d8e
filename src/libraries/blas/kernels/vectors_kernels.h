// Operations on vectors: the kernels. Included by a file for each group of element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/numbers.h"
#include "libraries/blas/kernels/vectors.h"
#include "libraries/support/start_kernel.h"

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

/// The functions of an element type.
#define GRIDSPAN_VECTORS(T)                                                                    \
  template cudaError_t launch_scal<T, T>(std::int64_t, Scalar<T>, Vector<T>, cudaStream_t);    \
  template cudaError_t launch_axpy<T>(std::int64_t, Scalar<T>, Vector<const T>, Vector<T>,     \
                                      cudaStream_t);                                           \
  template cudaError_t launch_copy<T>(std::int64_t, Vector<const T>, Vector<T>, cudaStream_t); \
  template cudaError_t launch_swap<T>(std::int64_t, Vector<T>, Vector<T>, cudaStream_t);
/// That of complex numbers that takes real ones.
#define GRIDSPAN_SCALED_VECTORS(R, T) \
  template cudaError_t launch_scal<R, T>(std::int64_t, Scalar<R>, Vector<T>, cudaStream_t);

}  // namespace gridspan::libraries::blas
