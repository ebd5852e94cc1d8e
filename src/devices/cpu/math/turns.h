// Arguments of sines and tangents, cut to half a turn and to a quarter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pi in three pieces (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980):
// a product with the first leaves an exact rest.
#pragma once

#include "devices/cpu/math/large_turns.h"

namespace gridspan::devices::cpu::math {

template <class Real>
struct Pi;
template <>
struct Pi<float> {
  static constexpr float whole = 0x1.921fb6p+1F, whole_low = -0x1.777a5cp-24F;
  static constexpr float high = 0x1.921fb4p+1F, middle = 0x1.4442d0p-23F, low = 0x1.84698ap-47F;
  static constexpr float inverse = 0x1.45f306p-2F;
  static constexpr float most = 100000;  // of which the pieces are enough
};
template <>
struct Pi<double> {
  static constexpr double whole = 0x1.921fb54442d18p+1, whole_low = 0x1.1a62633145c07p-53;
  static constexpr double high = whole, middle = 0x1.1a62633145c06p-53,
                          low = 0x1.c1cd129024e09p-106;
  static constexpr double inverse = 0x1.45f306dc9c883p-2;
  static constexpr double most = 0x1p29;
};

/// What an argument is from `rest` counts turns of a size; the last bits of `count` are how many.
template <class F>
struct Turn {
  BitsOf<F> count;
  F rest;
};

/// x less `count` half turns.
LANES F less_half_turns(F x, F count) {
  using Constants = Pi<RealOf<F>>;
  const F first = fma(count, -Constants::high, x);
  return fma(count, -Constants::low, fma(count, -Constants::middle, first));
}

/// reduce_one(x) for the lanes with many turns; NaN for infinity.
template <class F, class Reduce>
INLINED Turn<F> with_large(F x, Turn<F> turn, Reduce reduce_one) {
  using Real = RealOf<F>;
  if (!any(~(abs(x) <= Pi<Real>::most))) return turn;
  for (int i = 0; i < Parts<F>::count; ++i) {
    const Real one = x[i];
    if (one <= Pi<Real>::most && one >= -Pi<Real>::most) continue;
    const Real nothing = one - one;  // NOLINT(misc-redundant-expression): NaN of what is not finite
    const LargeTurn<Real> cut =
        nothing == 0 ? reduce_one(reduce_large(one)) : LargeTurn<Real>{0, nothing};
    turn.count[i] = static_cast<decltype(turn.count[0] + 0)>(cut.quarters);
    turn.rest[i] = cut.rest;
  }
  return turn;
}

/// x = (count + offset) * pi + rest, |rest| <= pi / 2 and a little; the offset is 0, or 1/2.
LANES Turn<F> reduce_half_turns(F x, RealOf<F> offset) {
  using Real = RealOf<F>;
  constexpr Real quarter = Pi<Real>::whole / 2;
  constexpr Real inverse = Pi<Real>::inverse;
  const F shifted =
      offset == 0 ? fma(x, inverse, bias<Real>) : fma(x, inverse, -offset) + bias<Real>;
  const F count = shifted - bias<Real>;
  const Turn<F> turn{bits_of(shifted), less_half_turns(x, F(count + offset))};
  return with_large(x, turn, [offset](LargeTurn<Real> cut) __attribute__((always_inline)) {
    // Quarters are even without an offset, and odd with one.
    const int wanted = offset == 0 ? 0 : 1;
    if ((cut.quarters & 1) != wanted) {
      cut.quarters += cut.rest > 0 ? 1 : -1;
      cut.rest += cut.rest > 0 ? -quarter : quarter;
    }
    return LargeTurn<Real>{(cut.quarters - wanted) >> 1, cut.rest};
  });
}

/// x = count * pi / 2 + rest, |rest| <= pi / 4 and a little.
LANES Turn<F> reduce_quarter_turns(F x) {
  using Real = RealOf<F>;
  const Rounded<F> n = rounded_product(x, 2 * Pi<Real>::inverse);
  const Turn<F> turn{bits_of(n.shifted), less_half_turns(x, F(n.number * Real(0.5)))};
  return with_large(x, turn,
                    [](LargeTurn<Real> cut) __attribute__((always_inline)) { return cut; });
}

/// The last bit of integers, as a mask.
LANES MaskOf<F> is_odd(BitsOf<F> integers) {
  constexpr int last = 8 * sizeof(RealOf<F>) - 1;
  return as_signed<F>(integers << last) >> last;
}
/// With the sign of (-1)^count.
LANES F negative_if_odd(BitsOf<F> count, F x) {
  constexpr int last = 8 * sizeof(RealOf<F>) - 1;
  return from_bits<F>(bits_of(x) ^ (count << last));
}

}  // namespace gridspan::devices::cpu::math
