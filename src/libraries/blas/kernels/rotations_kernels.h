// Rotations of pairs of vectors: the kernels. Included by a file for each group of types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/rotations.h"
#include "libraries/blas/kernels/vectors_kernels.h"

#include <cmath>

namespace gridspan::libraries::blas {
namespace detail {

/// s x, of a real or complex s.
template <typename Work, typename Sine>
__device__ inline Work turned(Sine s, Work x) {
  return scaled(s, x);
}
template <typename Sine>
__device__ inline Sine conjugated(Sine s) {
  return conjugate(s, true);
}
template <typename Work>
__device__ inline Work difference(Work a, Work b) {
  return a - b;
}
__device__ inline cuComplex difference(cuComplex a, cuComplex b) { return cuCsubf(a, b); }
__device__ inline cuDoubleComplex difference(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCsub(a, b);
}
template <typename Number>
__device__ inline Wide<Number> wide(Number x) {
  return Conversion<Wide<Number>, Number>::of(x);
}

template <template <typename> class Elements, typename Work, typename Cosine, typename Sine,
          typename T>
__global__ void rot(long long count, T* x, long long x_step, T* y, long long y_step, Cosine c_value,
                    const Cosine* c_place, Sine s_value, const Sine* s_place) {
  const auto i = element_index<typename Elements<T>::Index>();
  if (i >= count) return;
  const auto c = wide(c_place ? *c_place : c_value);
  const auto s = wide(s_place ? *s_place : s_value);
  T& first = Elements<T>::at(x, x_step, i);
  T& second = Elements<T>::at(y, y_step, i);
  const Work a = Conversion<Work, T>::of(first), b = Conversion<Work, T>::of(second);
  first = Conversion<T, Work>::of(total(turned(c, a), turned(s, b)));
  second = Conversion<T, Work>::of(difference(turned(c, b), turned(conjugated(s), a)));
}

template <template <typename> class Elements, typename Work, typename T>
__global__ void rotm(long long count, T* x, long long x_step, T* y, long long y_step, T flag_value,
                     T h11_value, T h21_value, T h12_value, T h22_value, const T* place) {
  const auto i = element_index<typename Elements<T>::Index>();
  if (i >= count) return;
  const Work flag = wide(place ? place[0] : flag_value);
  if (flag == -2) return;  // the identity
  // Some numbers are 1 or -1 whatever is given: flag of 1 and of 0.
  const Work h11 = flag == 0 ? Work(1) : Work(wide(place ? place[1] : h11_value));
  const Work h21 = flag == 1 ? Work(-1) : Work(wide(place ? place[2] : h21_value));
  const Work h12 = flag == 1 ? Work(1) : Work(wide(place ? place[3] : h12_value));
  const Work h22 = flag == 0 ? Work(1) : Work(wide(place ? place[4] : h22_value));
  T& first = Elements<T>::at(x, x_step, i);
  T& second = Elements<T>::at(y, y_step, i);
  const Work a = wide(first), b = wide(second);
  first = Conversion<T, Work>::of(h11 * a + h12 * b);
  second = Conversion<T, Work>::of(h21 * a + h22 * b);
}

template <typename R>
__host__ __device__ inline R size_without_sign(R x) {
  return x < 0 ? -x : x;
}
/// sqrt(a a + b b), without overflow of the squares.
template <typename R>
__host__ __device__ inline R length_of(R a, R b) {
  const R scale = size_without_sign(a) + size_without_sign(b);
  if (scale == 0) return scale;
  const R x = a / scale, y = b / scale;
  return scale * sqrt(x * x + y * y);
}

/// As the reference BLAS has it.
template <typename R>
__host__ __device__ inline void rotation(R* a, R* b, R* c, R* s) {
  const bool a_is_larger = size_without_sign(*a) > size_without_sign(*b);
  const R length = length_of(*a, *b);
  if (length == 0) {
    *c = 1;
    *s = *a = *b = 0;
    return;
  }
  const R r = (a_is_larger ? *a : *b) < 0 ? -length : length;
  *c = *a / r;
  *s = *b / r;
  *b = a_is_larger ? *s : *c != 0 ? 1 / *c : R(1);
  *a = r;
}

template <typename T, typename R>
__host__ __device__ inline void complex_rotation(T* a, const T* b, R* c, T* s) {
  const R size_a = length_of(a->x, a->y), size_b = length_of(b->x, b->y);
  if (size_a == 0) {
    *c = 0;
    *s = T{1, 0};
    *a = *b;
    return;
  }
  const R norm = length_of(size_a, size_b);
  const T direction = {a->x / size_a, a->y / size_a};
  *c = size_a / norm;
  *s = T{(direction.x * b->x + direction.y * b->y) / norm,
         (direction.y * b->x - direction.x * b->y) / norm};
  *a = T{direction.x * norm, direction.y * norm};
}

/// Keeps d between 2^-24 and 2^24. `whole` is set where all four numbers must be given.
template <typename R>
__host__ __device__ inline void rescale(R& d, R& first, R& second, R* x, bool& whole) {
  constexpr R unit = 4096, square = unit * unit;
  if (d == 0 || d - d != 0) return;  // infinite: never in bounds
  while (size_without_sign(d) <= 1 / square || size_without_sign(d) >= square) {
    whole = true;
    const bool is_small = size_without_sign(d) <= 1 / square;
    d = is_small ? d * square : d / square;
    first = is_small ? first / unit : first * unit;
    second = is_small ? second / unit : second * unit;
    if (x) *x = is_small ? *x / unit : *x * unit;
  }
}

/// As the reference BLAS has it.
template <typename R>
__host__ __device__ inline void modified_rotation(R* d1, R* d2, R* x1, const R* y1, R* parameters) {
  R h11 = 0, h21 = 0, h12 = 0, h22 = 0, flag = -1;
  const R p2 = *d2 * *y1;
  if (*d1 < 0) {
    *d1 = *d2 = *x1 = 0;
  } else if (p2 == 0) {
    parameters[0] = -2;
    return;
  } else {
    const R p1 = *d1 * *x1, q2 = p2 * *y1, q1 = p1 * *x1;
    if (size_without_sign(q1) > size_without_sign(q2)) {
      h21 = -*y1 / *x1;
      h12 = p2 / p1;
      const R u = 1 - h12 * h21;
      if (u > 0) {
        flag = 0;
        h11 = h22 = 1;
        *d1 /= u;
        *d2 /= u;
        *x1 *= u;
      } else {
        h21 = h12 = *d1 = *d2 = *x1 = 0;
      }
    } else if (q2 < 0) {
      *d1 = *d2 = *x1 = 0;
    } else {
      flag = 1;
      h21 = -1;
      h12 = 1;
      h11 = p1 / p2;
      h22 = *x1 / *y1;
      const R u = 1 + h11 * h22, kept = *d2 / u;
      *d2 = *d1 / u;
      *d1 = kept;
      *x1 = *y1 * u;
    }
    bool whole = false;
    rescale(*d1, h11, h12, x1, whole);
    rescale(*d2, h21, h22, static_cast<R*>(nullptr), whole);
    if (whole) flag = -1;
  }
  parameters[0] = flag;
  if (flag != 0) parameters[1] = h11;
  if (flag != 1) parameters[2] = h21;
  if (flag != 1) parameters[3] = h12;
  if (flag != 0) parameters[4] = h22;
}

template <typename R>
__global__ void find_rotation(R* a, R* b, R* c, R* s) {
  rotation(a, b, c, s);
}
template <typename T, typename R>
__global__ void find_complex_rotation(T* a, T* b, R* c, T* s) {
  complex_rotation(a, b, c, s);
}
template <typename R>
__global__ void find_modified_rotation(R* d1, R* d2, R* x1, const R* y1, R* parameters) {
  modified_rotation(d1, d2, x1, y1, parameters);
}

template <typename T>
__global__ void axpy_short(long long count, float value, const float* place, const T* x,
                           long long x_step, T* y, long long y_step) {
  const auto i = element_index<long long>();
  if (i >= count) return;
  const float sum = added(wide(y[i * y_step]), place ? *place : value, wide(x[i * x_step]));
  y[i * y_step] = Conversion<T, float>::of(sum);
}
template <typename T>
__global__ void scal_short(long long count, float value, const float* place, T* x, long long step) {
  const auto i = element_index<long long>();
  if (i < count)
    x[i * step] = Conversion<T, float>::of((place ? *place : value) * wide(x[i * step]));
}

}  // namespace detail

template <typename Work, typename Cosine, typename Sine, typename T>
cudaError_t launch_rot(std::int64_t count, Vector<T> x, Vector<T> y, Scalar<Cosine> c,
                       Scalar<Sine> s, cudaStream_t stream) {
  const auto kernel = detail::are_neighbours(count, x, y)
                          ? detail::rot<detail::Neighbours, Work, Cosine, Sine, T>
                          : detail::rot<detail::Apart, Work, Cosine, Sine, T>;
  return start_kernel(kernel, detail::vector_grid(count), detail::vector_block, stream, count,
                      x.start, x.step, y.start, y.step, c.value, c.place, s.value, s.place);
}

template <typename Work, typename T>
cudaError_t launch_rotm(std::int64_t count, Vector<T> x, Vector<T> y, const Modified<T>& parameters,
                        cudaStream_t stream) {
  const auto kernel = detail::are_neighbours(count, x, y)
                          ? detail::rotm<detail::Neighbours, Work, T>
                          : detail::rotm<detail::Apart, Work, T>;
  const T* const h = parameters.numbers;
  return start_kernel(kernel, detail::vector_grid(count), detail::vector_block, stream, count,
                      x.start, x.step, y.start, y.step, h[0], h[1], h[2], h[3], h[4],
                      parameters.place);
}

template <typename T>
cudaError_t make_rotation(bool on_host, T* a, T* b, T* c, T* s, cudaStream_t stream) {
  if (!on_host) return start_kernel(detail::find_rotation<T>, 1, 1, stream, a, b, c, s);
  detail::rotation(a, b, c, s);
  return cudaSuccess;
}
template <typename T, typename R>
cudaError_t make_complex_rotation(bool on_host, T* a, T* b, R* c, T* s, cudaStream_t stream) {
  if (!on_host) return start_kernel(detail::find_complex_rotation<T, R>, 1, 1, stream, a, b, c, s);
  detail::complex_rotation(a, b, c, s);
  return cudaSuccess;
}
template <typename T>
cudaError_t make_modified_rotation(bool on_host, T* d1, T* d2, T* x1, const T* y1, T* parameters,
                                   cudaStream_t stream) {
  if (!on_host)
    return start_kernel(detail::find_modified_rotation<T>, 1, 1, stream, d1, d2, x1, y1,
                        parameters);
  detail::modified_rotation(d1, d2, x1, y1, parameters);
  return cudaSuccess;
}

template <typename T>
cudaError_t launch_axpy_short(std::int64_t count, Scalar<float> alpha, Vector<const T> x,
                              Vector<T> y, cudaStream_t stream) {
  return start_kernel(detail::axpy_short<T>, detail::vector_grid(count), detail::vector_block,
                      stream, count, alpha.value, alpha.place, x.start, x.step, y.start, y.step);
}
template <typename T>
cudaError_t launch_scal_short(std::int64_t count, Scalar<float> alpha, Vector<T> x,
                              cudaStream_t stream) {
  return start_kernel(detail::scal_short<T>, detail::vector_grid(count), detail::vector_block,
                      stream, count, alpha.value, alpha.place, x.start, x.step);
}

#define GRIDSPAN_ROT(Work, Cosine, Sine, T)               \
  template cudaError_t launch_rot<Work, Cosine, Sine, T>( \
      std::int64_t, Vector<T>, Vector<T>, Scalar<Cosine>, Scalar<Sine>, cudaStream_t);
#define GRIDSPAN_ROTM(Work, T)                                                  \
  template cudaError_t launch_rotm<Work, T>(std::int64_t, Vector<T>, Vector<T>, \
                                            const Modified<T>&, cudaStream_t);

}  // namespace gridspan::libraries::blas
