// sin, cos and tan of double, and of half turns: arguments are cut to an eighth of a turn, where
// short polynomials do. 2 ulp. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../series.h"
#include "double_words.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))
using Long = unsigned long long;
__extension__ using Wide = unsigned __int128;

/// x = quarters * pi / 2 + rest, |rest| <= pi / 4 and a little; of the quarters only the last two
/// bits count.
struct Reduced {
  int quarters;
  double rest;
};

/// 2 / pi after the binary point, and 64 places in front of it.
constexpr Long two_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

/// For 2^30 <= |x|: the binary places of x * 2 / pi that tell the quarter and the rest, from a
/// product with 192 bits of 2 / pi (Payne and Hanek, 1983).
__attribute__((noinline)) Reduced reduce_large(double x) {
  const Long bits = __builtin_bit_cast(Long, x);
  const Long mantissa = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  // x is mantissa * 2^(exponent - 52): places up to the exponent - 54th make whole turns.
  const unsigned exponent = static_cast<unsigned>(bits >> 52 & 0x7ff) - 1023;
  const unsigned first = exponent - 54 + 64, word = first / 64, shift = first % 64;
  Long places[3];
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) {
    const Wide pair = static_cast<Wide>(two_over_pi[word + i]) << 64 | two_over_pi[word + i + 1];
    places[i] = static_cast<Long>(pair << shift >> 64);
  }
  // The last 192 bits of the product; two of them are in front of the point.
  const Wide low = static_cast<Wide>(places[2]) * mantissa;
  const Wide middle = static_cast<Wide>(places[1]) * mantissa + static_cast<Long>(low >> 64);
  const Long high = places[0] * mantissa + static_cast<Long>(middle >> 64);
  const Wide top = static_cast<Wide>(high) << 64 | static_cast<Long>(middle);
  const Wide fraction = top << 2 | static_cast<Long>(low) >> 62;
  // Above half a quarter, the rest is what is missing to the next one.
  const bool is_above = static_cast<Long>(fraction >> 64) >> 63 != 0;
  const Wide size = is_above ? -fraction : fraction;
  const int quarters = static_cast<int>(high >> 62) + is_above;
  const Long size_high = static_cast<Long>(size >> 64);
  const int zeros = size_high == 0 ? 64 : __builtin_clzll(size_high);
  const Long kept = static_cast<Long>(size << zeros >> 64), kept_low = kept & 0x7ff;
  const auto first_places = static_cast<double>(kept - kept_low);  // exact
  const double small = __builtin_fma(first_places, 0x1.1a62633145c07p-54,
                                     static_cast<double>(kept_low) * 0x1.921fb54442d18p+0);
  const double angle = __builtin_fma(first_places, 0x1.921fb54442d18p+0, small);
  const double scale = from_words(static_cast<unsigned>(1023 - 64 - zeros) << 20, 0);
  const double rest = angle * (is_above ? -scale : scale);
  return x < 0 ? Reduced{-quarters, -rest} : Reduced{quarters, rest};
}

HELPER Reduced reduce(double x) {
  constexpr double two_over_pi_once = 0x1.45f306dc9c883p-1;
  // pi / 2 in three pieces, each cut off, so that the next is positive and 0 keeps its sign.
  constexpr double high = 0x1.921fb54442d18p+0, middle = 0x1.1a62633145c06p-54,
                   low = 0x1.c1cd129024e09p-107;
  const unsigned size = magnitude_word(x);
  if (size >= 0x41d00000) return size < 0x7ff00000 ? reduce_large(x) : Reduced{0, x - x};
  const auto [count, quarters] = rounded_product(x, two_over_pi_once);
  // The first is exact.
  const double rest =
      __builtin_fma(-count, low, __builtin_fma(-count, middle, __builtin_fma(-count, high, x)));
  return {quarters, rest};
}

/// x = quarters / 2 + rest / pi, in half turns.
HELPER Reduced reduce_half_turns(double x) {
  constexpr double pi = 0x1.921fb54442d18p+1, pi_low = 0x1.1a62633145c07p-53;
  const double turned = __builtin_fma(__builtin_rint(x * 0.5), -2.0, x);  // from -1 to 1
  const auto [count, quarters] = rounded_product(turned, 2);
  const double rest = __builtin_fma(count, -0.5, turned);
  return {quarters, __builtin_fma(rest, pi, rest * pi_low)};
}

/// (sin(x) / x - 1) / x^2 and (cos(x) - 1 + x^2 / 2) / x^4 in x^2: Sollya's fpminimax, off by 2^-56
/// and less. In memory, because lanes ask for one or the other: to choose among constants takes
/// four instructions for each.
constexpr unsigned terms = 6;
alignas(16) constexpr double tails[2][terms] = {
    {0x1.5e118e8484eeep-33, -0x1.ae60210233a95p-26, 0x1.71de37b1ca273p-19, -0x1.a01a019ea130ap-13,
     0x1.1111111110c83p-7, -0x1.5555555555555p-3},
    {-0x1.9073967707182p-37, 0x1.1eeb57ed7c2b4p-29, -0x1.27e4fa02fd1a3p-22, 0x1.a01a019f3847ep-16,
     -0x1.6c16c16c168cap-10, 0x1.5555555555555p-5}};
HELPER double sine_tail(double square) { return polynomial(tails[0], square); }
HELPER double cosine_tail(double square) { return polynomial(tails[1], square); }

/// Of a rest. Adding 0 keeps the sign of -0.
HELPER double near_sine(double x) {
  const double square = x * x;
  return __builtin_fma(sine_tail(square), __builtin_fma(square, x, 0.0), x);
}
HELPER double near_cosine(double x) {
  const double square = x * x;
  return __builtin_fma(__builtin_fma(cosine_tail(square), square, -0.5), square, 1.0);
}

/// What is the sine of 0, 1, 2, 3 quarters more; cosines are a quarter ahead.
HELPER double with_sign_of(int quarters, double value) {
  return (quarters & 2) != 0 ? -value : value;
}

/// The sine, where one of the two is all that is asked for: threads of a warp, in whatever
/// quarters, go the same way.
HELPER double sine_of(Reduced reduced) {
  const auto [quarters, x] = reduced;
  const bool is_cosine = (quarters & 1) != 0;
  const double square = x * x;
  const double series = polynomial(tails[is_cosine], square);
  const double cosine = __builtin_fma(__builtin_fma(series, square, -0.5), square, 1.0);
  const double sine = __builtin_fma(series, __builtin_fma(square, x, 0.0), x);
  return with_sign_of(quarters, is_cosine ? cosine : sine);
}
HELPER double cosine_of(Reduced reduced) { return sine_of({reduced.quarters + 1, reduced.rest}); }

HELPER void both_of(Reduced reduced, double* sine, double* cosine) {
  const auto [quarters, rest] = reduced;
  const double at_0 = near_sine(rest), at_1 = near_cosine(rest);
  const bool is_odd = (quarters & 1) != 0;
  *sine = with_sign_of(quarters, is_odd ? at_1 : at_0);
  *cosine = with_sign_of(quarters + 1, is_odd ? at_0 : at_1);
}

/// Integers have the sine 0, with the sign of the argument, and halves the cosine 0.
HELPER double with_zero_of(double x, double sine) {
  return sine == 0 ? __builtin_copysign(0, x) : sine;
}

}  // namespace

DEVICE_FUNCTION double sin(double x) { return sine_of(reduce(x)); }
DEVICE_FUNCTION double cos(double x) { return cosine_of(reduce(x)); }
DEVICE_INLINE void __nv_sincos(double x, double* sine, double* cosine) {
  both_of(reduce(x), sine, cosine);
}
// What sine and cosine lose by rounding goes into the quotient's last step.
DEVICE_FUNCTION double tan(double x) {
  const auto [quarters, rest] = reduce(x);
  const double square = rest * rest;
  const double sine_part = sine_tail(square) * (square * rest);
  const double cosine_part = __builtin_fma(cosine_tail(square), square, -0.5) * square;
  const double sine = rest + sine_part, sine_low = sine_part - (sine - rest);
  const double cosine = 1 + cosine_part, cosine_low = cosine_part - (cosine - 1);
  const bool is_odd = (quarters & 1) != 0;
  const double above = is_odd ? -cosine : sine, above_low = is_odd ? -cosine_low : sine_low;
  const double below = is_odd ? sine : cosine, below_low = is_odd ? sine_low : cosine_low;
  const double inverse = inverse_of(below), quotient = above * inverse;
  const double missing = __builtin_fma(-quotient, below, above) + above_low;
  const double tangent =
      __builtin_fma(__builtin_fma(-quotient, below_low, missing), inverse, quotient);
  return x == 0 ? x : tangent;
}

DEVICE_FUNCTION double __nv_sinpi(double x) {
  return with_zero_of(x, sine_of(reduce_half_turns(x)));
}
DEVICE_FUNCTION double __nv_cospi(double x) { return cosine_of(reduce_half_turns(x)) + 0.0; }
DEVICE_FUNCTION void __nv_sincospi(double x, double* sine, double* cosine) {
  both_of(reduce_half_turns(x), sine, cosine);
  *sine = with_zero_of(x, *sine);
  *cosine += 0.0;
}
