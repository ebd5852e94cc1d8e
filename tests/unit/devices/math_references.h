// What CUDA's own math functions are in long double: for tests of float and double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>

// device_library/host: where the inverses' references begin, and for float.
extern "C" double __gridspan_erfcinv(double x);
extern "C" double __gridspan_cyl_bessel_i0(double x);
extern "C" double __gridspan_cyl_bessel_i1(double x);

namespace gridspan::testing {

using Long = long double;

inline constexpr Long pi = 3.14159265358979323846264338327950288L;
inline constexpr Long root_pi = 1.77245385090551602729816748334114518L;
inline constexpr Long root_half = 0.707106781186547524400844362104849039L;

inline Long exp10_long(Long x) { return powl(10, x); }
inline Long rcbrt_long(Long x) { return 1 / cbrtl(x); }
inline Long rhypot_long(Long x, Long y) { return 1 / hypotl(x, y); }

/// Of the smaller of two angles, where sine and cosine are exact; 0 has the sign of x.
inline Long sinpi_long(Long x) {
  const Long rest = x - 2 * rintl(x / 2), size = fabsl(rest);
  const Long half = size > 0.5L ? 1 - size : size;
  return copysignl(half > 0.25L ? cosl(pi * (0.5L - half)) : sinl(pi * half), half == 0 ? x : rest);
}
inline Long cospi_long(Long x) {
  const Long size = fabsl(x - 2 * rintl(x / 2));
  return size > 0.25L && size < 0.75L ? sinl(pi * (0.5L - size)) : cosl(pi * size);
}

inline Long lgamma_long(Long x) {
  int sign;
  return lgammal_r(x, &sign);
}

inline Long cyl_bessel_i0_double(Long x) {
  return __gridspan_cyl_bessel_i0(static_cast<double>(x));
}
inline Long cyl_bessel_i1_double(Long x) {
  return __gridspan_cyl_bessel_i1(static_cast<double>(x));
}

inline Long normcdf_long(Long x) { return erfcl(-x * root_half) / 2; }

/// Beyond 20 the asymptotic expansion's terms vanish.
inline Long erfcx_long(Long x) {
  if (x < 20) return expl(x * x) * erfcl(x);
  Long sum = 1, term = 1;
  for (int k = 1; k < 30; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * root_pi);
}

/// The x > 0 with erfc(x) = q: a step of Newton's.
inline Long inverse_of_complement(Long q) {
  const Long x = __gridspan_erfcinv(static_cast<double>(q));
  return std::isfinite(x) ? x + (erfcl(x) - q) * root_pi / 2 * expl(x * x) : x;
}
inline Long erfinv_long(Long y) {
  if (fabsl(y) > 0.5L) return copysignl(inverse_of_complement(1 - fabsl(y)), y);
  const Long x = y * root_pi / 2;
  Long better = x;
  for (int i = 0; i < 8; ++i) better -= (erfl(better) - y) * root_pi / 2 * expl(better * better);
  return y == 0 ? y : better;
}
inline Long erfcinv_long(Long q) {
  if (q >= 0.5L && q <= 1.5L) return q == 1 ? 0 : erfinv_long(1 - q);
  return q > 1 ? -inverse_of_complement(2 - q) : inverse_of_complement(q);
}
inline Long normcdfinv_long(Long p) { return 0 - erfcinv_long(2 * p) / root_half; }

}  // namespace gridspan::testing
