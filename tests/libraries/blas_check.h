// What the tests of cuBLAS share: numbers, matrices with gaps, a plain reference in double,
// comparison element by element. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "library_check.h"

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <complex>
#include <cstdlib>
#include <limits>

using Number = std::complex<double>;

template <typename T>
Number wide(T x) {
  return Number(static_cast<double>(x), 0);
}
inline Number wide(__half x) { return Number(__half2float(x), 0); }
inline Number wide(__nv_bfloat16 x) { return Number(__bfloat162float(x), 0); }
inline Number wide(cuComplex x) { return Number(x.x, x.y); }
inline Number wide(cuDoubleComplex x) { return Number(x.x, x.y); }

template <typename T>
struct Of {
  static constexpr bool is_complex = false;
  static T number(Number x) { return static_cast<T>(x.real()); }
};
template <>
struct Of<__half> {
  static constexpr bool is_complex = false;
  static __half number(Number x) { return __float2half(static_cast<float>(x.real())); }
};
template <>
struct Of<__nv_bfloat16> {
  static constexpr bool is_complex = false;
  static __nv_bfloat16 number(Number x) { return __float2bfloat16(static_cast<float>(x.real())); }
};
template <>
struct Of<cuComplex> {
  static constexpr bool is_complex = true;
  static cuComplex number(Number x) {
    return make_cuComplex(static_cast<float>(x.real()), static_cast<float>(x.imag()));
  }
};
template <>
struct Of<cuDoubleComplex> {
  static constexpr bool is_complex = true;
  static cuDoubleComplex number(Number x) { return make_cuDoubleComplex(x.real(), x.imag()); }
};

/// A number that no result may contain: NaN, or the largest where there is none.
template <typename T>
T poison() {
  if constexpr (std::numeric_limits<T>::is_integer) return std::numeric_limits<T>::max();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return Of<T>::number(Number(nan, nan));
}

/// Small whole numbers: products and sums of them are exact in every type, so results must be
/// equal.
template <typename T>
T random_number() {
  const auto next = [] { return static_cast<double>(std::rand() % 5 - 2); };
  const double real = next();
  return Of<T>::number(Number(real, Of<T>::is_complex ? next() : 0));
}

/// Fractions, whose sums depend on their order.
template <typename T>
T random_fraction() {
  const auto next = [] { return static_cast<double>(std::rand()) / RAND_MAX - 0.5; };
  const double real = next();
  return Of<T>::number(Number(real, Of<T>::is_complex ? next() : 0));
}
