// Transforms of a few numbers, in registers. X[k] = sum of x[j] exp(-2 pi i j k / R).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include <utility>

namespace gridspan::libraries::fft {

/// run(0), run(1) ... run(count - 1), where the arguments are constants: what they index are
/// registers from the beginning.
template <int count, typename Run>
__device__ __forceinline__ void unrolled(Run run) {
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    (run(std::integral_constant<int, i>()), ...);
  }(std::make_integer_sequence<int, count>());
}

/// R complex numbers.
template <typename T, int R>
struct Few {
  T re[R], im[R];
};

/// cos and sin of 2 pi j / P, j = 1 to (P - 1) / 2.
template <int P>
struct Roots;
template <>
struct Roots<3> {
  static constexpr double cosine[] = {-0.5}, sine[] = {0.86602540378443864676};
};
template <>
struct Roots<5> {
  static constexpr double cosine[] = {0.30901699437494742410, -0.80901699437494742410},
                          sine[] = {0.95105651629515357212, 0.58778525229247312917};
};
template <>
struct Roots<7> {
  static constexpr double cosine[] = {0.62348980185873353053, -0.22252093395631440429,
                                      -0.90096886790241912624},
                          sine[] = {0.78183148246802980871, 0.97492791218182360702,
                                    0.43388373911755812048};
};
template <>
struct Roots<11> {
  static constexpr double cosine[] = {0.84125353283118116886, 0.41541501300188642553,
                                      -0.14231483827328514044, -0.65486073394528506406,
                                      -0.95949297361449738989},
                          sine[] = {0.54064081745559758211, 0.90963199535451837141,
                                    0.98982144188093273238, 0.75574957435425828377,
                                    0.28173255684142969771};
};
template <>
struct Roots<13> {
  static constexpr double cosine[] = {0.88545602565320989590,  0.56806474673115580251,
                                      0.12053668025532305335,  -0.35460488704253562597,
                                      -0.74851074817110109863, -0.97094181742605202716},
                          sine[] = {0.46472317204376854566, 0.82298386589365639458,
                                    0.99270887409805399280, 0.93501624268541482344,
                                    0.66312265824079520238, 0.23931566428755776715};
};

namespace detail {

/// cos and sin of 2 pi M / P, any M.
template <typename T, int P, int M>
constexpr T cosine_of() {
  constexpr int m = M % P;
  return static_cast<T>(Roots<P>::cosine[(m <= P / 2 ? m : P - m) - 1]);
}
template <typename T, int P, int M>
constexpr T sine_of() {
  constexpr int m = M % P;
  return static_cast<T>(m <= P / 2 ? Roots<P>::sine[m - 1] : -Roots<P>::sine[P - m - 1]);
}

template <typename T, int P, int K, int J>
__device__ __forceinline__ void add_terms(const Few<T, P>& x, T& sum_re, T& sum_im, T& turn_re,
                                          T& turn_im) {
  if constexpr (J <= P / 2) {
    constexpr T c = cosine_of<T, P, J * K>(), s = sine_of<T, P, J * K>();
    // x[j] holds x[j] + x[P - j], and x[P - j] their difference.
    sum_re += c * x.re[J];
    sum_im += c * x.im[J];
    turn_re += s * x.re[P - J];
    turn_im += s * x.im[P - J];
    add_terms<T, P, K, J + 1>(x, sum_re, sum_im, turn_re, turn_im);
  }
}

template <typename T, int P, int K>
__device__ __forceinline__ void odd_outputs(const Few<T, P>& x, Few<T, P>& y) {
  if constexpr (K <= P / 2) {
    T sum_re = x.re[0], sum_im = x.im[0], turn_re = 0, turn_im = 0;
    add_terms<T, P, K, 1>(x, sum_re, sum_im, turn_re, turn_im);
    y.re[K] = sum_re + turn_im;
    y.im[K] = sum_im - turn_re;
    y.re[P - K] = sum_re - turn_im;
    y.im[P - K] = sum_im + turn_re;
    odd_outputs<T, P, K + 1>(x, y);
  }
}

template <typename T>
__device__ __forceinline__ void two(T& a_re, T& a_im, T& b_re, T& b_im) {
  const T re = a_re - b_re, im = a_im - b_im;
  a_re += b_re;
  a_im += b_im;
  b_re = re;
  b_im = im;
}

/// Outputs in order 0, 2, 1, 3 of the arguments' places.
template <typename T>
__device__ __forceinline__ void four(T& a_re, T& a_im, T& b_re, T& b_im, T& c_re, T& c_im, T& d_re,
                                     T& d_im) {
  two(a_re, a_im, c_re, c_im);
  two(b_re, b_im, d_re, d_im);
  two(a_re, a_im, b_re, b_im);
  // c - i d and c + i d
  const T re = c_re - d_im, im = c_im + d_re;
  c_re += d_im;
  c_im -= d_re;
  d_re = re;
  d_im = im;
}

template <typename T>
__device__ __forceinline__ void turn(T& re, T& im, T by_re, T by_im) {
  const T old = re;
  re = old * by_re - im * by_im;
  im = old * by_im + im * by_re;
}

}  // namespace detail

template <typename T>
__device__ __forceinline__ void transform(Few<T, 2>& x) {
  detail::two(x.re[0], x.im[0], x.re[1], x.im[1]);
}

template <typename T>
__device__ __forceinline__ void transform(Few<T, 4>& x) {
  Few<T, 4> y = x;
  detail::four(y.re[0], y.im[0], y.re[1], y.im[1], y.re[2], y.im[2], y.re[3], y.im[3]);
  x = {{y.re[0], y.re[2], y.re[1], y.re[3]}, {y.im[0], y.im[2], y.im[1], y.im[3]}};
}

template <typename T>
__device__ __forceinline__ void transform(Few<T, 8>& x) {
  constexpr T h = static_cast<T>(0.70710678118654752440);
  Few<T, 4> even = {{x.re[0], x.re[2], x.re[4], x.re[6]}, {x.im[0], x.im[2], x.im[4], x.im[6]}};
  Few<T, 4> odd = {{x.re[1], x.re[3], x.re[5], x.re[7]}, {x.im[1], x.im[3], x.im[5], x.im[7]}};
  transform(even);
  transform(odd);
  const T re1 = h * (odd.re[1] + odd.im[1]), im1 = h * (odd.im[1] - odd.re[1]);
  const T re3 = h * (odd.im[3] - odd.re[3]), im3 = -h * (odd.re[3] + odd.im[3]);
  const T re2 = odd.im[2], im2 = -odd.re[2];
  x = {{even.re[0] + odd.re[0], even.re[1] + re1, even.re[2] + re2, even.re[3] + re3,
        even.re[0] - odd.re[0], even.re[1] - re1, even.re[2] - re2, even.re[3] - re3},
       {even.im[0] + odd.im[0], even.im[1] + im1, even.im[2] + im2, even.im[3] + im3,
        even.im[0] - odd.im[0], even.im[1] - im1, even.im[2] - im2, even.im[3] - im3}};
}

/// Of an odd prime.
template <typename T, int P>
__device__ __forceinline__ void transform(Few<T, P>& x) {
  Few<T, P> y;
  y.re[0] = x.re[0];
  y.im[0] = x.im[0];
  unrolled<P / 2>([&](auto before) {
    constexpr int j = before + 1;
    detail::two(x.re[j], x.im[j], x.re[P - j], x.im[P - j]);
    y.re[0] += x.re[j];
    y.im[0] += x.im[j];
  });
  detail::odd_outputs<T, P, 1>(x, y);
  x = y;
}

}  // namespace gridspan::libraries::fft
