// fmod, remainder and remquo, which are exact: quotients in digits of as many bits as a
// number has. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While x / y has no more bits than a number, its integer part q is what the division towards zero
// leaves, and x - q * y is a number: one FMA. Longer quotients come digit by digit, from multiples
// y * 2^(k * bits), as in a division by hand. Short ones of float need no division: any integer
// close to the quotient leaves a number.
#include "gpu.h"

namespace {

#define HELPER static inline __attribute__((always_inline))

template <class Kind>
struct Division {
  typename Kind::Real rest;
  typename Kind::Bits quotient;  // its last bits
};

struct Float {
  using Real = float;
  using Bits = unsigned;
  static constexpr int bits = 24, most_digits = 12;  // 277 binary places in all
  HELPER float divide(float x, float y) { return __nvvm_div_rz_f(x, y); }
  HELPER float multiply_add(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
  HELPER float magnitude(float x) { return __builtin_fabsf(x); }
  HELPER float with_sign(float x, float sign) { return __builtin_copysignf(x, sign); }
};

struct Double {
  using Real = double;
  using Bits = unsigned long long;
  static constexpr int bits = 53, most_digits = 40;  // 2098 binary places
  HELPER double divide(double x, double y) { return __nvvm_div_rz_d(x, y); }
  HELPER double multiply_add(double x, double y, double z) { return __builtin_fma(x, y, z); }
  HELPER double magnitude(double x) { return __builtin_fabs(x); }
  HELPER double with_sign(double x, double sign) { return __builtin_copysign(x, sign); }
};

/// Is y amid the normal numbers, and the quotient less than 2^20?
HELPER bool is_short(float x, float y) {
  return y >= 0x1p-100F && y <= 0x1p100F && x < y * 0x1p20F;
}
HELPER bool is_short(double, double) { return false; }

/// From the nearest integer, or one that is a quarter farther off.
HELPER Division<Float> divide_short(float x, float y) {
  constexpr float bias = 0x1.8p23F;  // the last bits of sums are integers
  const float shifted = __builtin_fmaf(x, __nvvm_rcp_approx_ftz_f(y), bias);
  const float rest = __builtin_fmaf(bias - shifted, y, x);
  const auto quotient = __builtin_bit_cast(unsigned, shifted);
  return rest < 0 ? Division<Float>{rest + y, quotient - 1} : Division<Float>{rest, quotient};
}
HELPER Division<Double> divide_short(double, double) { return {}; }

/// Of finite x >= 0 and y > 0.
template <class Kind>
HELPER Division<Kind> divide(typename Kind::Real x, typename Kind::Real y) {
  using Real = typename Kind::Real;
  using Bits = typename Kind::Bits;
  if (is_short(x, y)) return divide_short(x, y);
  constexpr Real digit = Real(Bits(1) << (Kind::bits - 1)) * 2;
  int longer = 0;
  // Counted, because subnormal multiples stay 0 where they are flushed.
  for (; longer < Kind::most_digits && y * digit <= x; ++longer) y *= digit;
  Bits quotient = 0;
  for (;; y *= 1 / digit) {
    // An infinite y has no part in x, and no multiple to subtract.
    const Real part = x < y ? 0 : Real(Bits(Kind::divide(x, y)));
    if (part != 0) x = Kind::multiply_add(-part, y, x);
    quotient = (quotient << Kind::bits) + Bits(part);
    if (longer-- == 0) return {x, quotient};
  }
}

template <class Kind, class Real = typename Kind::Real>
HELPER bool is_defined(Real x, Real y) {
  return Kind::magnitude(x) < Real(__builtin_inf()) && y == y && y != 0;
}

/// With the sign of x. What is not defined is NaN.
template <class Kind, class Real = typename Kind::Real>
HELPER Real truncated(Real x, Real y) {
  if (!is_defined<Kind>(x, y)) return (x * y) / (x * y);
  return Kind::with_sign(divide<Kind>(Kind::magnitude(x), Kind::magnitude(y)).rest, x);
}

/// Of the nearest integer to x / y, the even one of two; *last_bits are that integer's, with its
/// sign.
template <class Kind, class Real = typename Kind::Real>
HELPER Real nearest(Real x, Real y, int* last_bits) {
  *last_bits = 0;
  if (!is_defined<Kind>(x, y)) return (x * y) / (x * y);
  const Real size = Kind::magnitude(y);
  auto [rest, quotient] = divide<Kind>(Kind::magnitude(x), size);
  // Twice the rest, if that is no number, is more than y.
  const Real twice = rest + rest;
  int bits = static_cast<int>(quotient & 7);  // as many as C promises; up to 8, as on CPUs
  if (twice > size || (twice == size && (quotient & 1) != 0)) {
    rest -= size;
    ++bits;
  }
  *last_bits = __builtin_signbit(x) == __builtin_signbit(y) ? bits : -bits;
  return __builtin_signbit(x) ? -rest : rest;
}

}  // namespace

DEVICE_FUNCTION float fmodf(float x, float y) { return truncated<Float>(x, y); }
DEVICE_FUNCTION double fmod(double x, double y) { return truncated<Double>(x, y); }
DEVICE_FUNCTION float remquof(float x, float y, int* quotient) {
  return nearest<Float>(x, y, quotient);
}
DEVICE_FUNCTION double remquo(double x, double y, int* quotient) {
  return nearest<Double>(x, y, quotient);
}
DEVICE_FUNCTION float remainderf(float x, float y) {
  int unused;
  return nearest<Float>(x, y, &unused);
}
DEVICE_FUNCTION double remainder(double x, double y) {
  int unused;
  return nearest<Double>(x, y, &unused);
}
