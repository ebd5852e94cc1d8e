// Real and complex numbers with the same operators, for kernels of any element type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuComplex.h>

#include <type_traits>

namespace gridspan::libraries::solver {

/// As cuComplex and cuDoubleComplex lie in memory.
template <typename R>
struct alignas(2 * sizeof(R)) Complex {
  R x, y;
};

template <typename T>
struct Element {
  using Real = T;
  using Public = T;  // as programs and cuBLAS name it
  static constexpr bool is_complex = false;
};
template <>
struct Element<Complex<float>> {
  using Real = float;
  using Public = cuComplex;
  static constexpr bool is_complex = true;
};
template <>
struct Element<Complex<double>> {
  using Real = double;
  using Public = cuDoubleComplex;
  static constexpr bool is_complex = true;
};
template <typename T>
using Real = typename Element<T>::Real;

/// The type that kernels have for a program's.
template <typename T>
using Inner =
    std::conditional_t<std::is_same_v<T, cuComplex>, Complex<float>,
                       std::conditional_t<std::is_same_v<T, cuDoubleComplex>, Complex<double>, T>>;

template <typename R>
__host__ __device__ inline Complex<R> operator+(Complex<R> a, Complex<R> b) {
  return {a.x + b.x, a.y + b.y};
}
template <typename R>
__host__ __device__ inline Complex<R> operator-(Complex<R> a, Complex<R> b) {
  return {a.x - b.x, a.y - b.y};
}
template <typename R>
__host__ __device__ inline Complex<R> operator-(Complex<R> a) {
  return {-a.x, -a.y};
}
template <typename R>
__host__ __device__ inline Complex<R> operator*(Complex<R> a, Complex<R> b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <typename R>
__host__ __device__ inline Complex<R> operator*(R a, Complex<R> b) {
  return {a * b.x, a * b.y};
}
template <typename R>
__host__ __device__ inline Complex<R> operator/(Complex<R> a, R b) {
  return {a.x / b, a.y / b};
}
/// Without overflow where the result has none (R. L. Smith, 1962).
template <typename R>
__host__ __device__ inline Complex<R> operator/(Complex<R> a, Complex<R> b) {
  const bool is_wide = (b.x < 0 ? -b.x : b.x) >= (b.y < 0 ? -b.y : b.y);
  const R ratio = is_wide ? b.y / b.x : b.x / b.y;
  const R divisor = is_wide ? b.x + b.y * ratio : b.x * ratio + b.y;
  if (is_wide) return {(a.x + a.y * ratio) / divisor, (a.y - a.x * ratio) / divisor};
  return {(a.x * ratio + a.y) / divisor, (a.y * ratio - a.x) / divisor};
}

template <typename T>
__host__ __device__ inline T conj(T a) {
  return a;
}
template <typename R>
__host__ __device__ inline Complex<R> conj(Complex<R> a) {
  return {a.x, -a.y};
}
template <typename T>
__host__ __device__ inline T conj_if(bool conjugates, T a) {
  return conjugates ? conj(a) : a;
}
template <typename T>
__host__ __device__ inline Real<T> real(T a) {
  if constexpr (Element<T>::is_complex)
    return a.x;
  else
    return a;
}
template <typename T>
__host__ __device__ inline Real<T> imaginary(T a) {
  if constexpr (Element<T>::is_complex)
    return a.y;
  else
    return 0;
}
template <typename T>
__host__ __device__ inline T number(Real<T> x, Real<T> y = 0) {
  if constexpr (Element<T>::is_complex)
    return {x, y};
  else
    return x;
}
template <typename T>
__host__ __device__ inline bool is_zero(T a) {
  return real(a) == 0 && imaginary(a) == 0;
}
template <typename R>
__host__ __device__ inline R absolute(R a) {
  return a < 0 ? -a : a;
}
/// |x| + |y|: what LAPACK compares pivots by.
template <typename T>
__host__ __device__ inline Real<T> size_of(T a) {
  return absolute(real(a)) + absolute(imaginary(a));
}
template <typename T>
__host__ __device__ inline Real<T> square_of(T a) {
  return real(a) * real(a) + imaginary(a) * imaginary(a);
}
__device__ inline float square_root(float a) { return sqrtf(a); }
__device__ inline double square_root(double a) { return sqrt(a); }
/// sqrt(a a + b b), which overflows only where the result does.
template <typename R>
__device__ inline R hypotenuse(R a, R b) {
  const R x = absolute(a), y = absolute(b);
  const R large = x > y ? x : y, small = x > y ? y : x;
  if (large == 0) return large;
  const R ratio = small / large;
  return large * square_root(1 + ratio * ratio);
}
template <typename R>
__host__ __device__ constexpr R precision() {
  return sizeof(R) == 4 ? R(5.9604645e-08) : R(1.1102230246251565e-16);
}

}  // namespace gridspan::libraries::solver
