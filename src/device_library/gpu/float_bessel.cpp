// Bessel functions of float in float arithmetic; those of the second kind up to 8 in double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's bounds: 9 ulp up to 8, and an error of 2.2e-6 above; 6 ulp of the modified functions.
// Polynomials: Sollya's fpminimax.
#include "../series.h"
#include "float_powers_of_two.h"
#include "float_sine.h"
#include "gpu.h"

using namespace gridspan::device_library;

double y0_of(double) __asm__("__nv_y0");
double y1_of(double) __asm__("__nv_y1");

namespace {

#define HELPER static inline __attribute__((always_inline))

constexpr float infinity = __builtin_inff();

/// x^2 less the square of a zero, in two numbers: exact to half an ulp close to the zero, too.
HELPER float distance(float x, float high, float low) { return __builtin_fmaf(x, x, -high) - low; }

/// J0(x) for x <= 8: the first three zeros are factors, the rest a polynomial in x^2 - 32.
HELPER float inner_j0(float x) {
  constexpr float series[] = {-0x1.2564cap-74F, 0x1.3cfa4p-65F,  -0x1.c2dc5ep-57F,
                              0x1.febfaap-49F,  -0x1.bc20ap-41F, 0x1.19a1bep-33F,
                              -0x1.e3fa8ep-27F, 0x1.ef7b16p-21F, -0x1.bf5476p-16F};
  const float zeros = distance(x, 0x1.721fb8p+2F, 0x1.18aeeep-28F) *
                      distance(x, 0x1.e78a4ap+4F, 0x1.88775cp-22F) *
                      distance(x, 0x1.2b8c4cp+6F, -0x1.f7aa26p-20F);
  return zeros * polynomial(series, __builtin_fmaf(x, x, -32.0F));
}
/// J1(x) / x likewise.
HELPER float inner_j1(float x) {
  constexpr float series[] = {-0x1.0974aep-78F, 0x1.bdc6eap-70F,  -0x1.566a8cp-61F,
                              0x1.acabdap-53F,  -0x1.9e32ecp-45F, 0x1.2718eap-37F,
                              -0x1.20d17ap-30F, 0x1.568e3cp-24F,  -0x1.6e07fcp-19F};
  const float zeros = distance(x, 0x1.d5d2b4p+3F, 0x1.89822cp-25F) *
                      distance(x, 0x1.89bf66p+5F, 0x1.ca90c8p-25F) *
                      distance(x, 0x1.9dff70p+6F, 0x1.af0bc6p-19F);
  return zeros * polynomial(series, __builtin_fmaf(x, x, -32.0F));
}

/// J(x) and Y(x) for x > 8 are modulus * cos(phase) and modulus * sin(phase); the modulus times
/// sqrt(x), and the phase less x - (2 order + 1) pi / 4 and times x, are polynomials in 1 / x^2.
template <unsigned moduli, unsigned phases>
HELPER float outer(float x, const float (&modulus)[moduli], const float (&phase)[phases],
                   int quarters_more) {
  constexpr float eighth = 0x1.921fb6p-1F, quarter = 0x1.921fb6p+0F;
  const float inverse = __nvvm_rcp_approx_ftz_f(x), square = inverse * inverse;
  const Reduced reduced = reduce(x);
  float rest = __builtin_fmaf(polynomial(phase, square), inverse, reduced.rest - eighth);
  int quarters = reduced.quarters + quarters_more;
  if (rest < -eighth) {
    rest += quarter;
    --quarters;
  }
  const float wave = sine_of(quarters, rest);
  const float value = polynomial(modulus, square) * __nvvm_rsqrt_approx_ftz_f(x) * wave;
  return x == infinity ? 0 : value;
}
enum class Kind { first, second };
HELPER float outer_0(float x, Kind kind) {
  constexpr float modulus[] = {-0x1.8a64dp-2F, 0x1.54ff88p-4F, -0x1.989878p-5F, 0x1.988454p-1F};
  constexpr float phase[] = {0x1.22ae88p0F, -0x1.a44a74p-3F, 0x1.0a9cdap-4F, -0x1.fffffep-4F};
  return outer(x, modulus, phase, kind == Kind::first ? 1 : 0);
}
HELPER float outer_1(float x, Kind kind) {
  constexpr float modulus[] = {0x1.cc057p-2F, -0x1.36919ep-3F, 0x1.325baap-3F, 0x1.988454p-1F};
  constexpr float phase[] = {-0x1.b98b96p0F, 0x1.7680ecp-2F, -0x1.4ff968p-3F, 0x1.8p-2F};
  return outer(x, modulus, phase, kind == Kind::first ? 0 : -1);
}

/// factor * e^x / sqrt(x), which overflows for x > 92.
HELPER float grown(float factor, float x) {
  constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
  const float exponent = x * log2_e;
  const float rounding = __builtin_fmaf(x, log2_e, -exponent);
  if (!(exponent < 200)) return x + infinity;
  return times_power_of_two(factor * __nvvm_rsqrt_approx_ftz_f(x), exponent,
                            __builtin_fmaf(x, log2_e_low, rounding));
}

}  // namespace

DEVICE_FUNCTION float __nv_j0f(float x) {
  const float a = __builtin_fabsf(x);
  return a <= 8 ? inner_j0(a) : outer_0(a, Kind::first);
}
DEVICE_FUNCTION float __nv_j1f(float x) {
  const float a = __builtin_fabsf(x);
  if (a <= 8) return x * inner_j1(a);
  return __builtin_copysignf(1, x) * outer_1(a, Kind::first);
}
DEVICE_FUNCTION float __nv_y0f(float x) {
  return x > 8 ? outer_0(x, Kind::second) : static_cast<float>(y0_of(x));
}
DEVICE_FUNCTION float __nv_y1f(float x) {
  return x > 8 ? outer_1(x, Kind::second) : static_cast<float>(y1_of(x));
}

// Up to 6 power series, whose terms are all positive.
DEVICE_FUNCTION float __nv_cyl_bessel_i0f(float x) {
  constexpr float inner[] = {0x1.059acp-30F,  0x1.2535b6p-25F, 0x1.08731p-19F,
                             0x1.228318p-14F, 0x1.c73a1ap-10F, 0x1.c71a12p-6F,
                             0x1.000016p-2F,  0x1.fffffep-1F,  1};
  constexpr float outer[] = {0x1.509de4p-1F, 0x1.1072ap-2F,  -0x1.425ad4p-6F, 0x1.287b0ap-5F,
                             0x1.c6828p-6F,  0x1.988f0ep-5F, 0x1.988452p-2F};
  const float a = __builtin_fabsf(x);
  if (a <= 6) return polynomial(inner, a * a * 0.25F);
  return grown(polynomial(outer, __nvvm_rcp_approx_ftz_f(a)), a);
}
DEVICE_FUNCTION float __nv_cyl_bessel_i1f(float x) {
  constexpr float inner[] = {0x1.082bbcp-27F, 0x1.fdbcd6p-23F, 0x1.8d0832p-17F, 0x1.6b1f5cp-12F,
                             0x1.c738b2p-8F,  0x1.5553e2p-4F,  0x1.00000cp-1F,  1};
  constexpr float outer[] = {-0x1.176d22p0F,  -0x1.2963eep-3F, -0x1.f4365cp-7F, -0x1.797934p-5F,
                             -0x1.7d0f8ep-5F, -0x1.326536p-3F, 0x1.988454p-2F};
  const float a = __builtin_fabsf(x);
  if (a <= 6) return x * 0.5F * polynomial(inner, a * a * 0.25F);
  return __builtin_copysignf(grown(polynomial(outer, __nvvm_rcp_approx_ftz_f(a)), a), x);
}
