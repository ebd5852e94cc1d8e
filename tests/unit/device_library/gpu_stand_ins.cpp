// What the GPU's device library asks for that is not there on this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that approximate: the exact value, moved at random by up to what makes the error
// that CUDA's documents state for them (2 ulp of ex2 and rsqrt, which exp2f and rsqrtf are; 1 of
// rcp and sqrt), so that functions made of them are tested with that.
#include <bit>
#include <cmath>
#include <cstdint>

extern "C" int gridspan_test_reflect(const char*);

/// No -ftz=true.
int gridspan_test_reflect(const char*) { return 0; }

namespace {

/// From -1 to 1, always the same for the same argument.
double disturbance(double x) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93u;
  return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
}

/// Before it is rounded, off by up to `error` ulp.
float relative(float x, double exact, double error) {
  const double ulp = std::ldexp(1.0, std::ilogb(exact) - 23);
  return static_cast<float>(std::isnormal(exact) ? exact + error * ulp * disturbance(x) : exact);
}
float absolute(float x, double exact, double error) {
  return static_cast<float>(exact + error * disturbance(x));
}

/// Subnormal numbers become 0, and so do results.
float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x; }

/// The high words of argument and result count.
double cut(double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> 32 << 32); }

float power_of_two(float x) {
  const bool is_whole = std::floor(x) == x;
  return is_whole ? std::exp2(x) : relative(x, std::exp2(static_cast<double>(x)), 1);
}
float logarithm(float x) {
  const double exact = std::log2(static_cast<double>(x));
  const bool is_near_one = x > 0.5F && x < 2;
  return is_near_one ? absolute(x, exact, 0x1p-22) : relative(x, exact, 1);
}

}  // namespace

#define INSTRUCTION(name, compute)                              \
  extern "C" float __gridspan_nvvm_##name##_f(float);           \
  float __gridspan_nvvm_##name##_f(float x) { return compute; } \
  extern "C" float __gridspan_nvvm_##name##_ftz_f(float);       \
  float __gridspan_nvvm_##name##_ftz_f(float argument) {        \
    const float x = flushed(argument);                          \
    return flushed(compute);                                    \
  }
INSTRUCTION(rcp_approx, relative(x, 1 / static_cast<double>(x), 0.5))
INSTRUCTION(sqrt_approx, relative(x, std::sqrt(static_cast<double>(x)), 0.5))
INSTRUCTION(rsqrt_approx, relative(x, 1 / std::sqrt(static_cast<double>(x)), 1))
INSTRUCTION(ex2_approx, power_of_two(x))
INSTRUCTION(lg2_approx, logarithm(x))
INSTRUCTION(sin_approx, absolute(x, std::sin(static_cast<double>(x)), 0x1p-21))
INSTRUCTION(cos_approx, absolute(x, std::cos(static_cast<double>(x)), 0x1p-21))

extern "C" double __gridspan_nvvm_rcp_approx_ftz_d(double);
double __gridspan_nvvm_rcp_approx_ftz_d(double x) { return cut(1 / cut(x)); }
extern "C" double __gridspan_nvvm_rsqrt_approx_ftz_d(double);
double __gridspan_nvvm_rsqrt_approx_ftz_d(double x) { return cut(1 / std::sqrt(cut(x))); }

extern "C" float __gridspan_nvvm_div_approx_f(float, float);
float __gridspan_nvvm_div_approx_f(float x, float y) {
  return relative(x, static_cast<double>(x) / y, 1);
}
extern "C" float __gridspan_nvvm_div_approx_ftz_f(float, float);
float __gridspan_nvvm_div_approx_ftz_f(float x, float y) {
  return flushed(__gridspan_nvvm_div_approx_f(flushed(x), flushed(y)));
}
