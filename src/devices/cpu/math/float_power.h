// powf: 2^(y * log2(x)), the logarithm and the product as sums of two numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 4 ulp, as CUDA says; some 31 bits of the logarithm count where the power is large (J.-M. Muller,
// Elementary Functions, 2016). The GPU's method and coefficients (device_library/gpu).
#pragma once

#include "devices/cpu/math/float_logarithms.h"
#include "devices/cpu/math/float_powers.h"

namespace gridspan::devices::cpu::math {

/// high + low, |low| at most half an ulp of high.
template <class F>
struct Pair {
  F high, low;
};

/// log2(x) + more, to some 31 bits: x is positive and normal, x = 2^k * m, m from sqrt(1/2) to
/// sqrt(2), log2(m) = 2 / ln(2) * artanh(s), s = (m - 1) / (m + 1).
FLOATS Pair<F> binary_logarithm(F x, F more) {
  constexpr float two_over_ln_2 = 0x1.715476p+1F, two_over_ln_2_low = 0x1.4ae0c0p-25F;
  // (log2(m) / s - 2 / ln(2)) / z for z = s^2 < 0.0295, off by 2^-27 of itself.
  constexpr float series[] = {0x1.558c9ep-2F, 0x1.a5f2acp-2F, 0x1.2776b2p-1F, 0x1.ec709ep-1F};
  const auto [f, k] = split(x, float_root_half);
  const F inverse = 1 / (2 + f);
  const F s = f * inverse;
  // What is missing from f - s * (2 + f), where 2 + f need be no number.
  const F missing = fma(-s, f, fma(s, -2, f));
  const F z = s * s;
  const F high = s * two_over_ln_2;
  F low = fma(s, two_over_ln_2, -high);
  low = fma(s, two_over_ln_2_low, low);
  // The slope of artanh is 1 + z + ...
  low = fma(missing * inverse, fma(z, two_over_ln_2, two_over_ln_2), low);
  low = fma(s * z, polynomial(series, z), low);
  // Where k is not 0, it is more than the rest.
  const F whole = k + more, sum = whole + high;
  const F sum_low = (high - (sum - whole)) + low;
  const F logarithm = sum + sum_low;
  return {logarithm, sum_low - (logarithm - sum)};
}

LANES MaskOf<F> is_integer(F x) { return whole_part(x) == x; }

/// |x|^y is `result`, where neither is special; the rest as the C standard has it (F.10.4.4).
LANES F power_with_special(F x, F y, F result) {
  constexpr auto infinity = static_cast<RealOf<F>>(__builtin_inf());
  const F size = abs(x);
  const MaskOf<F> is_odd = is_integer(y) & ~is_integer(y * RealOf<F>(0.5));
  // Not of a number: x is infinite or 0, or y is infinite.
  const MaskOf<F> grows = ((size > 1) & (y > 0)) | ((size < 1) & (y < 0));
  const F limit = select(grows, F(infinity), F(0));
  result = select((size == 0) | (size == infinity), limit, result);
  result = select(is_odd, with_sign(result, x), result);
  result = select((x < 0) & (size < infinity) & ~is_integer(y), F(__builtin_nan("")), result);
  const F at_infinity = select(size == 1, F(1), limit);
  result = select(abs(y) == infinity, at_infinity, result);
  result = select(is_number(x) & is_number(y), result, x + y);
  return select((x == 1) | (y == 0), F(1), result);
}

FLOATS F pow(F x, F y) {
  const MaskOf<F> ordinary = is_ordinary(x) & (abs(y) < __builtin_inff());
  F size = x, more = 0;
  if (any(~ordinary)) {
    size = abs(x);
    const MaskOf<F> is_small = size < 0x1p-126F;
    size = select(is_small, size * 0x1p24F, size);
    more = select(is_small, F(-24), F(0));
  }
  const Pair<F> logarithm = binary_logarithm(size, more);
  const F product = y * logarithm.high;
  const F product_low = fma(y, logarithm.low, fma(y, logarithm.high, -product));
  const MaskOf<F> is_far = ~(abs(product) < 160);
  // Beyond, the rest is anything, and need not be a number.
  const F result = times_power_of_two(F(1), at_most(at_least(product, -160), 160),
                                      select(is_far, F(0), product_low));
  return any(~ordinary) ? power_with_special(x, y, result) : result;
}

}  // namespace gridspan::devices::cpu::math
