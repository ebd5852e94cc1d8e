// The math functions of vectors: the same bits in every form, errors within CUDA's bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/vector_math.h"
#include "../device_library/inputs.h"
#include "../device_library/ulp.h"
#include "abi/math_functions.h"
#include "devices/cpu/instruction_set.h"

#include "vector_forms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#define DECLARE(name, arguments, accuracy)                               \
  extern "C" float gridspan_math_##name##_f32(TYPES_##arguments(float)); \
  extern "C" double gridspan_math_##name##_f64(TYPES_##arguments(double));
GRIDSPAN_MATH_FUNCTIONS(DECLARE)

namespace {

using namespace gridspan::testing;
using gridspan::abi::InstructionSet;
using gridspan::devices::cpu::best_instruction_set;
using Long = long double;

struct Function {
  const char* name;
  int arguments;
  float (*f32)(float);
  double (*f64)(double);
  Long (*reference)(Long);
  float low32, high32;
  double bound32;
  double low64, high64;
  double bound64;
};

Long exp10_long(Long x) { return powl(10, x); }

// Bounds: CUDA Programming Guide, "Mathematical functions", maximum ulp errors.
#define FUNCTION(name, reference, low32, high32, bound32, low64, high64, bound64) \
  {#name,                                                                         \
   1,                                                                             \
   gridspan_math_##name##_f32,                                                    \
   gridspan_math_##name##_f64,                                                    \
   reference,                                                                     \
   low32,                                                                         \
   high32,                                                                        \
   bound32,                                                                       \
   low64,                                                                         \
   high64,                                                                        \
   bound64}
const Function unary_functions[] = {
    FUNCTION(acos, acosl, -1, 1, 2, -1, 1, 2),
    FUNCTION(asin, asinl, -1, 1, 2, -1, 1, 2),
    FUNCTION(atan, atanl, -1e30F, 1e30F, 2, -1e300, 1e300, 2),
    FUNCTION(atanh, atanhl, -1, 1, 3, -1, 1, 2),
    FUNCTION(cbrt, cbrtl, -1e38F, 1e38F, 1, -1e308, 1e308, 1),
    FUNCTION(cos, cosl, -1e5F, 1e5F, 2, -1e6, 1e6, 2),
    FUNCTION(erf, erfl, -7, 7, 2, -7, 7, 2),
    FUNCTION(erfc, erfcl, -7, 10, 4, -7, 26, 5),
    FUNCTION(exp, expl, -103, 88.7F, 2, -745, 709.78, 1),
    FUNCTION(exp10, exp10_long, -45, 38.5F, 2, -323, 308.25, 1),
    FUNCTION(exp2, exp2l, -149, 127.9F, 2, -1074, 1023.9, 1),
    FUNCTION(expm1, expm1l, -50, 88.7F, 1, -50, 709.78, 1),
    FUNCTION(log, logl, 1.2e-38F, 3e38F, 1, 2.3e-308, 1e308, 1),
    FUNCTION(log10, log10l, 1.2e-38F, 3e38F, 2, 2.3e-308, 1e308, 1),
    FUNCTION(log2, log2l, 1.2e-38F, 3e38F, 1, 2.3e-308, 1e308, 1),
    FUNCTION(sin, sinl, -1e5F, 1e5F, 2, -1e6, 1e6, 2),
    FUNCTION(tan, tanl, -1e5F, 1e5F, 4, -1e6, 1e6, 2),
    FUNCTION(tanh, tanhl, -25, 25, 2, -25, 25, 1),
};

template <class Real>
void check_errors(Real (*function)(Real), Long (*reference)(Long), Real low, Real high,
                  double bound) {
  std::mt19937_64 random(4321);
  double worst = 0;
  Real where = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Real x = random_in(random, low, high);
    const double distance = ulp_distance(function(x), static_cast<Real>(reference(x)));
    if (distance > worst) {
      worst = distance;
      where = x;
    }
  }
  EXPECT_LE(worst, bound) << "at " << where;
}

class VectorMath : public testing::TestWithParam<Function> {};

TEST_P(VectorMath, ErrorsStayWithinTheGuidesBounds) {
  if (best_instruction_set() < InstructionSet::x86_64_v3) GTEST_SKIP() << "no FMA on this CPU";
  const Function& one = GetParam();
  check_errors(one.f32, one.reference, one.low32, one.high32, one.bound32);
  check_errors(one.f64, one.reference, one.low64, one.high64, one.bound64);
}

/// NaN for NaN, infinities and signed zeros where the C library has them.
TEST_P(VectorMath, SpecialValuesAreTheCLibrarys) {
  if (best_instruction_set() < InstructionSet::x86_64_v3) GTEST_SKIP() << "no FMA on this CPU";
  const Function& one = GetParam();
  for (double x : {0.0, -0.0, INFINITY + 0.0, -INFINITY + 0.0, NAN + 0.0, 1.0, -1.0, -2.0}) {
    const double expected = static_cast<double>(one.reference(x)), is = one.f64(x);
    const float expected32 = static_cast<float>(expected), is32 = one.f32(static_cast<float>(x));
    if (std::isfinite(expected) && expected != 0) continue;  // the other test's
    EXPECT_TRUE(identical(is, expected)) << one.name << "(" << x << ") is " << is;
    EXPECT_TRUE(identical(is32, expected32)) << one.name << "f(" << x << ") is " << is32;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, VectorMath, testing::ValuesIn(unary_functions),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(VectorMath, Atan2StaysWithinTheGuidesBounds) {
  if (best_instruction_set() < InstructionSet::x86_64_v3) GTEST_SKIP() << "no FMA on this CPU";
  std::mt19937_64 random(99);
  for (int i = 0; i < 100'000; ++i) {
    const double y = random_in(random, -1e9, 1e9), x = random_in(random, -1e9, 1e9);
    const auto yf = static_cast<float>(y), xf = static_cast<float>(x);
    ASSERT_LE(ulp_distance(gridspan_math_atan2_f64(y, x), static_cast<double>(atan2l(y, x))), 2);
    ASSERT_LE(ulp_distance(gridspan_math_atan2_f32(yf, xf), static_cast<float>(atan2l(yf, xf))), 3);
  }
}

/// What one lane gets depends on its own argument only, and is what a single number gets.
template <class Real>
void compare_lanes(const vector_forms::Form& form, Real (*one)(Real, Real)) {
  std::mt19937_64 random(17);
  const std::vector<Real> special = special_values<Real>();
  for (int round = 0; round < 20'000; ++round) {
    Real x[16], y[16], result[16];
    for (int lane = 0; lane < form.lanes; ++lane) {
      const bool is_special = random() % 16 == 0;
      x[lane] = is_special  ? special[random() % special.size()]
                : round % 2 ? random_bits<Real>(random)
                            : random_in(random, Real(-100), Real(100));
      y[lane] = random_in(random, Real(-100), Real(100));
      result[lane] = Real(-77);
    }
    form.apply(result, x, y);
    for (int lane = 0; lane < form.lanes; ++lane) {
      const Real expected = one(x[lane], y[lane]);
      ASSERT_TRUE(identical(result[lane], expected))
          << form.name << ", " << form.lanes << " lanes, at " << x[lane] << ": " << result[lane]
          << " instead of " << expected;
    }
  }
}

template <class Real>
struct Single {
  const char* name;
  Real (*function)(Real, Real);
};
#define SINGLE_32(name, arguments, accuracy)              \
  {#name, [](float x, [[maybe_unused]] float y) {         \
     return CALL_##arguments(gridspan_math_##name##_f32); \
   }},
#define SINGLE_64(name, arguments, accuracy)              \
  {#name, [](double x, [[maybe_unused]] double y) {       \
     return CALL_##arguments(gridspan_math_##name##_f64); \
   }},
const Single<float> single32[] = {GRIDSPAN_MATH_FUNCTIONS(SINGLE_32)};
const Single<double> single64[] = {GRIDSPAN_MATH_FUNCTIONS(SINGLE_64)};

void compare_forms(const std::vector<vector_forms::Form>& forms) {
  std::size_t compared = 0;
  for (const vector_forms::Form& form : forms) {
    for (const auto& [name, function] : single32)
      if (!form.is_double && !std::strcmp(name, form.name))
        compare_lanes(form, function), ++compared;
    for (const auto& [name, function] : single64)
      if (form.is_double && !std::strcmp(name, form.name))
        compare_lanes(form, function), ++compared;
  }
  EXPECT_EQ(compared, forms.size());
  EXPECT_GE(compared, 2 * std::size(single32));
}

TEST(VectorMath, LanesOfAvx2AreSingleNumbers) {
  if (best_instruction_set() < InstructionSet::x86_64_v3) GTEST_SKIP() << "no AVX2 on this CPU";
  compare_forms(vector_forms::of_avx2());
}

TEST(VectorMath, LanesOfAvx512AreSingleNumbers) {
  if (best_instruction_set() < InstructionSet::x86_64_v4) GTEST_SKIP() << "no AVX-512 on this CPU";
  compare_forms(vector_forms::of_avx512());
}

/// setup.sh installs it: without, the tests above compare the C library with itself.
TEST(VectorMath, TheLibraryIsThere) { EXPECT_TRUE(gridspan::devices::cpu::has_sleef()); }

}  // namespace
