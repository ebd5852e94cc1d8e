// Functions of one float: errors within the bounds of the CUDA Programming Guide.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Math functions | C99 and CUDA functions of one float (sinf, expf, logf, erff, tgammaf, sinpif, rsqrtf, ...) within CUDA's error bounds
// FEATURE: Math functions | fast approximations (__sinf, __expf, __logf, __powf, __fdividef, ...)
#include "math_check.h"

using namespace math_check;

void test_powers_and_logarithms() {
  TEST_FUNCTION(float, rsqrtf, ref_rsqrt, 1e-37, 1e38, 2);
  TEST_FUNCTION(float, cbrtf, cbrtl, -1e38, 1e38, 1);
  TEST_FUNCTION(float, rcbrtf, ref_rcbrt, 1e-37, 1e38, 1);
  TEST_FUNCTION(float, sqrtf, sqrtl, 0, 1e38, 0);
  TEST_FUNCTION(float, expf, expl, -103, 88.7, 2);
  TEST_FUNCTION(float, exp2f, exp2l, -149, 127.9, 2);
  TEST_FUNCTION(float, exp10f, ref_exp10, -45, 38.5, 2);
  TEST_FUNCTION(float, expm1f, expm1l, -50, 88.7, 1);
  TEST_FUNCTION(float, logf, logl, 1e-37, 1e38, 1);
  TEST_FUNCTION(float, log2f, log2l, 1e-37, 1e38, 1);
  TEST_FUNCTION(float, log10f, log10l, 1e-37, 1e38, 2);
  TEST_FUNCTION(float, log1pf, log1pl, -0.9999, 1e38, 1);
}

void test_angles() {
  TEST_FUNCTION(float, sinf, sinl, -1e5, 1e5, 2);
  TEST_FUNCTION(float, cosf, cosl, -1e5, 1e5, 2);
  TEST_FUNCTION(float, tanf, tanl, -1e5, 1e5, 4);
  TEST_FUNCTION(float, sinpif, ref_sinpi, -1e5, 1e5, 1);
  TEST_FUNCTION(float, cospif, ref_cospi, -1e5, 1e5, 1);
  TEST_FUNCTION(float, asinf, asinl, -1, 1, 2);
  TEST_FUNCTION(float, acosf, acosl, -1, 1, 2);
  TEST_FUNCTION(float, atanf, atanl, -1e30, 1e30, 2);
  TEST_FUNCTION(float, sinhf, sinhl, -89, 89, 3);
  TEST_FUNCTION(float, coshf, coshl, -89, 89, 2);
  TEST_FUNCTION(float, tanhf, tanhl, -25, 25, 2);
  TEST_FUNCTION(float, asinhf, asinhl, -1e30, 1e30, 3);
  TEST_FUNCTION(float, acoshf, acoshl, 1, 1e30, 4);
  TEST_FUNCTION(float, atanhf, atanhl, -1, 1, 3);
}

void test_special() {
  TEST_FUNCTION(float, erff, erfl, -7, 7, 2);
  TEST_FUNCTION(float, erfcf, erfcl, -7, 10, 4);
  TEST_FUNCTION(float, tgammaf, tgammal, 0.1, 34, 5);
  TEST_FUNCTION(float, lgammaf, ref_lgamma, 0, 1e30, 6);
}

void test_rounding() {
  TEST_FUNCTION(float, floorf, floorl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, ceilf, ceill, -1e30, 1e30, 0);
  TEST_FUNCTION(float, truncf, truncl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, roundf, roundl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, rintf, rintl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, nearbyintf, nearbyintl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, fabsf, fabsl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, logbf, logbl, -1e30, 1e30, 0);
}

/// Tests an approximation of one float; `allowed(x, exact)` is the absolute error that CUDA states.
#define TEST_APPROXIMATION(function, reference, low, high, allowed)                               \
  do {                                                                                            \
    struct Call {                                                                                 \
      __device__ float operator()(float x) const { return function(x); }                          \
    };                                                                                            \
    test_approximation<Call>(#function, [](Long x) { return reference(x); }, low, high, allowed); \
  } while (0)

template <class Function, class Reference, class Allowed>
void test_approximation(const char* name, Reference reference, double low, double high,
                        Allowed allowed) {
  check::Random random(static_cast<int>(high));
  std::vector<float> in;
  for (int i = 0; i < 20011; ++i) {
    const double x = random.real(0, 1);
    in.push_back(float(low > 0 ? std::exp(std::log(low) + x * std::log(high / low))
                               : low + x * (high - low)));
  }
  check::Array<float> source(in), result(in.size());
  const int count = int(in.size());
  apply<Function, float><<<(count + 95) / 96, 96>>>(source.data(), result.data(), count);
  const std::vector<float> out = result.get();
  for (int i = 0; i < count; ++i) {
    ++check::comparisons;
    const Long exact = reference(Long(in[i])), off = fabsl(out[i] - exact);
    if (off <= allowed(Long(in[i]), exact)) continue;
    ++check::failures;
    std::fprintf(stderr, "%s(%.9g): %.9g, off by %Lg\n", name, in[i], out[i], off);
    return;
  }
}

Long ulps_of(Long ulps, Long exact) { return ulps * fabsl(exact) * 0x1p-23L; }

void test_approximations() {
  const auto sine = [](Long, Long) { return powl(2, -21.41L); };
  const auto cosine = [](Long, Long) { return powl(2, -21.19L); };
  // Of the quotient of both.
  const auto tangent = [](Long x, Long exact) {
    return (powl(2, -21.41L) + powl(2, -21.19L) * fabsl(exact)) / fabsl(cosl(x)) * 1.01L +
           ulps_of(4, exact);
  };
  const auto power = [](Long factor) {
    return [factor](Long x, Long exact) { return ulps_of(2 + floorl(fabsl(factor * x)), exact); };
  };
  const auto logarithm = [](Long near_one, Long ulps) {
    return [near_one, ulps](Long x, Long exact) {
      return x >= 0.5L && x <= 2 ? powl(2, near_one) : ulps_of(ulps, exact);
    };
  };
  TEST_APPROXIMATION(__sinf, sinl, -3.14, 3.14, sine);
  TEST_APPROXIMATION(__cosf, cosl, -3.14, 3.14, cosine);
  TEST_APPROXIMATION(__tanf, tanl, -1.5, 1.5, tangent);
  TEST_APPROXIMATION(__expf, expl, -87, 88, power(1.173L));
  TEST_APPROXIMATION(__exp10f, ref_exp10, -37, 38, power(2.97L));
  TEST_APPROXIMATION(__logf, logl, 1e-37, 1e38, logarithm(-21.41L, 3));
  TEST_APPROXIMATION(__log2f, log2l, 1e-37, 1e38, logarithm(-22, 2));
  TEST_APPROXIMATION(__log10f, log10l, 1e-37, 1e38, logarithm(-24, 3));
}

// The C++ overloads for float give the float function.
void test_overloads() {
  TEST_FUNCTION(float, sin, sinl, -100, 100, 2);
  TEST_FUNCTION(float, std::exp, expl, -87, 88, 2);
  TEST_FUNCTION(float, rsqrt, ref_rsqrt, 1e-37, 1e38, 2);
  TEST_FUNCTION(float, sinpi, ref_sinpi, -100, 100, 1);
  TEST_FUNCTION(float, cbrt, cbrtl, -1e38, 1e38, 1);
}

int main() {
  test_powers_and_logarithms();
  test_angles();
  test_special();
  test_rounding();
  test_approximations();
  test_overloads();
  return check::finish();
}
