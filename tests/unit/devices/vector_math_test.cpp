// The math functions of vectors: the same bits in every form, errors within CUDA's bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../device_library/inputs.h"
#include "../device_library/ulp.h"
#include "abi/math_functions.h"
#include "devices/cpu/instruction_set.h"

#include "math_references.h"
#include "vector_forms.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#define DECLARE_FLOAT(name, arguments, library) \
  extern "C" float gridspan_math_##name##_f32(TYPES_##arguments(float));
#define DECLARE_DOUBLE(name, arguments, library) \
  extern "C" double gridspan_math_##name##_f64(TYPES_##arguments(double));
GRIDSPAN_FLOAT_FUNCTIONS(DECLARE_FLOAT)
GRIDSPAN_DOUBLE_FUNCTIONS(DECLARE_DOUBLE)

namespace {

using namespace gridspan::testing;
using gridspan::abi::InstructionSet;
using gridspan::devices::cpu::best_instruction_set;

template <class Real>
struct Function {
  const char* name;
  Real (*function)(Real);
  Long (*reference)(Long);
  double bound;            // CUDA Programming Guide, "Mathematical functions": ulp
  Real low = 0, high = 0;  // of most of the arguments
};

template <class Real>
void PrintTo(const Function<Real>& function, std::ostream* out) {
  *out << function.name;
}

#define FLOAT(name, reference, bound) {#name, gridspan_math_##name##_f32, reference, bound}
const Function<float> float_functions[] = {
    FLOAT(acos, acosl, 2),
    FLOAT(acosh, acoshl, 4),
    FLOAT(asin, asinl, 2),
    FLOAT(asinh, asinhl, 3),
    FLOAT(atan, atanl, 2),
    FLOAT(atanh, atanhl, 3),
    FLOAT(cbrt, cbrtl, 1),
    FLOAT(cos, cosl, 2),
    FLOAT(cosh, coshl, 2),
    FLOAT(cospi, cospi_long, 1),
    FLOAT(cyl_bessel_i0, cyl_bessel_i0_double, 6),
    FLOAT(cyl_bessel_i1, cyl_bessel_i1_double, 6),
    FLOAT(erf, erfl, 2),
    FLOAT(erfc, erfcl, 4),
    FLOAT(erfcinv, erfcinv_long, 4),
    FLOAT(erfcx, erfcx_long, 4),
    FLOAT(erfinv, erfinv_long, 2),
    FLOAT(exp, expl, 2),
    FLOAT(exp10, exp10_long, 2),
    FLOAT(exp2, exp2l, 2),
    FLOAT(expm1, expm1l, 1),
    FLOAT(lgamma, lgamma_long, 6),
    FLOAT(log, logl, 1),
    FLOAT(log10, log10l, 2),
    FLOAT(log1p, log1pl, 1),
    FLOAT(log2, log2l, 1),
    FLOAT(normcdf, normcdf_long, 5),
    FLOAT(normcdfinv, normcdfinv_long, 5),
    FLOAT(rcbrt, rcbrt_long, 1),
    FLOAT(sin, sinl, 2),
    FLOAT(sinh, sinhl, 3),
    FLOAT(sinpi, sinpi_long, 1),
    FLOAT(tan, tanl, 4),
    FLOAT(tanh, tanhl, 2),
    FLOAT(tgamma, tgammal, 5),
};

#define DOUBLE(name, reference, low, high, bound) \
  {#name, gridspan_math_##name##_f64, reference, bound, low, high}
const Function<double> double_functions[] = {
    DOUBLE(acos, acosl, -1, 1, 2),
    DOUBLE(acosh, acoshl, 1, 1e3, 3),
    DOUBLE(asin, asinl, -1, 1, 2),
    DOUBLE(asinh, asinhl, -1e3, 1e3, 3),
    DOUBLE(atan, atanl, -1e3, 1e3, 2),
    DOUBLE(atanh, atanhl, -1, 1, 2),
    DOUBLE(cbrt, cbrtl, -1e3, 1e3, 1),
    DOUBLE(cos, cosl, -1e6, 1e6, 2),
    DOUBLE(cosh, coshl, -710, 710, 1),
    DOUBLE(cospi, cospi_long, -1e6, 1e6, 2),
    DOUBLE(erf, erfl, -7, 7, 2),
    DOUBLE(erfc, erfcl, -7, 26, 5),
    DOUBLE(erfcinv, erfcinv_long, 1e-300, 2, 6),
    DOUBLE(erfcx, erfcx_long, -10, 20, 4),
    DOUBLE(erfinv, erfinv_long, -1, 1, 5),
    DOUBLE(exp, expl, -745, 709.78, 1),
    DOUBLE(exp10, exp10_long, -323, 308.25, 1),
    DOUBLE(exp2, exp2l, -1074, 1023.9, 1),
    DOUBLE(expm1, expm1l, -50, 709.78, 1),
    DOUBLE(lgamma, lgamma_long, -2.26, 1e300, 4),
    DOUBLE(log, logl, 0.01, 100, 1),
    DOUBLE(log10, log10l, 0.01, 100, 1),
    DOUBLE(log1p, log1pl, -0.99, 100, 1),
    DOUBLE(log2, log2l, 0.01, 100, 1),
    DOUBLE(normcdf, normcdf_long, -37, 9, 5),
    DOUBLE(normcdfinv, normcdfinv_long, 1e-300, 1, 8),
    DOUBLE(rcbrt, rcbrt_long, 1e-3, 1e3, 1),
    DOUBLE(sin, sinl, -1e6, 1e6, 2),
    DOUBLE(sinh, sinhl, -710, 710, 2),
    DOUBLE(sinpi, sinpi_long, -1e6, 1e6, 2),
    DOUBLE(tan, tanl, -1e6, 1e6, 2),
    DOUBLE(tanh, tanhl, -25, 25, 1),
    DOUBLE(tgamma, tgammal, -170, 171, 10),
};

/// The Guide promises nothing of lgamma there; long double is too short for e^(x^2) of double.
bool is_beyond_bounds(const std::string& name, double x, bool is_double) {
  if (name == "lgamma") return is_double ? x > -11.0001 && x < -2.2637 : x > -10.001 && x < -2.264;
  return is_double && name == "erfcx" && x < -10;
}

/// The worst of many arguments.
template <class Real>
class Errors {
 public:
  explicit Errors(const Function<Real>& function) : function_(function) {}
  void add(Real x) {
    if (is_beyond_bounds(function_.name, static_cast<double>(x), sizeof x == sizeof(double)))
      return;
    const Real is = function_.function(x), expected = static_cast<Real>(function_.reference(x));
    const bool has_wrong_zero = is == 0 && expected == 0 && !identical(is, expected);
    const double distance = has_wrong_zero ? 1e30 : ulp_distance(is, expected);
    if (distance <= worst_) return;
    worst_ = distance;
    text_ = std::to_string(distance) + " ulp at " + testing::PrintToString(x) + ": " +
            testing::PrintToString(is) + " instead of " + testing::PrintToString(expected);
  }
  void add_special() {
    for (Real x : special_values<Real>()) add(x);
    for (int i = -45; i <= 45; ++i) add(static_cast<Real>(i * 0.25));
  }
  void check() const { EXPECT_LE(worst_, function_.bound) << text_; }

 private:
  const Function<Real>& function_;
  double worst_ = 0;
  std::string text_;
};

class VectorMathOfFloat : public testing::TestWithParam<Function<float>> {};
class VectorMathOfDouble : public testing::TestWithParam<Function<double>> {};

TEST_P(VectorMathOfFloat, ErrorsStayWithinTheGuidesBounds) {
  if (best_instruction_set() < InstructionSet::x86_64_v3) GTEST_SKIP() << "no FMA on this CPU";
  Errors<float> errors(GetParam());
  errors.add_special();
  constexpr std::uint32_t step = 8191;  // one of so many floats
  for (std::uint64_t bits = 0; bits >> 32 == 0; bits += step)
    errors.add(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  errors.check();
}

TEST_P(VectorMathOfDouble, ErrorsStayWithinTheGuidesBounds) {
  if (best_instruction_set() < InstructionSet::x86_64_v3) GTEST_SKIP() << "no FMA on this CPU";
  Errors<double> errors(GetParam());
  errors.add_special();
  std::mt19937_64 random(4321);
  for (int i = 0; i < 150'000; ++i) errors.add(random_in(random, GetParam().low, GetParam().high));
  for (int i = 0; i < 50'000; ++i) errors.add(random_bits<double>(random));
  errors.check();
}

/// Up to 8 in ulp, above the error itself: there the C library is off near zeros.
void check_bessel(float (*function)(float), double (*reference)(double)) {
  if (best_instruction_set() < InstructionSet::x86_64_v3) GTEST_SKIP() << "no FMA on this CPU";
  for (int i = -800'000; i <= 800'000; ++i) {
    const float x = static_cast<float>(i) * 0x1p-15F;
    const double is = function(x), expected = reference(x);
    const double bound = std::fabs(x) <= 8 ? 9 * 0x1p-23 * std::fabs(expected) : 2.2e-6;
    ASSERT_LE(std::fabs(is - expected), std::fmax(bound, 1e-44)) << "at " << x;
  }
  EXPECT_EQ(function(HUGE_VALF), 0);
  EXPECT_TRUE(std::isnan(function(std::nanf(""))));
}
TEST(VectorMath, BesselFunctionsStayWithinTheGuidesBounds) {
  check_bessel(gridspan_math_j0_f32, ::j0);
  check_bessel(gridspan_math_j1_f32, ::j1);
}

template <class Real>
std::string name_of(const testing::TestParamInfo<Function<Real>>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Each, VectorMathOfFloat, testing::ValuesIn(float_functions),
                         name_of<float>);
INSTANTIATE_TEST_SUITE_P(Each, VectorMathOfDouble, testing::ValuesIn(double_functions),
                         name_of<double>);

template <class Real>
struct Binary {
  const char* name;
  Real (*function)(Real, Real);
  Long (*reference)(Long, Long);
  Real low, high;
  double bound;
};

template <class Real>
void check(const Binary<Real>& binary) {
  if (best_instruction_set() < InstructionSet::x86_64_v3) GTEST_SKIP() << "no FMA on this CPU";
  const auto compare = [&](Real x, Real y) {
    const Real is = binary.function(x, y), expected = static_cast<Real>(binary.reference(x, y));
    EXPECT_LE(ulp_distance(is, expected), binary.bound)
        << binary.name << "(" << x << ", " << y << ") is " << is << " instead of " << expected;
    if (is == 0 && expected == 0) EXPECT_TRUE(identical(is, expected)) << x << ", " << y;
    return !testing::Test::HasFailure();
  };
  for (Real x : special_values<Real>())
    for (Real y : special_values<Real>()) compare(x, y);
  std::mt19937_64 random(99);
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(compare(random_in(random, binary.low, binary.high),
                        random_in(random, binary.low, binary.high)));
    if (i % 4 == 0) compare(random_bits<Real>(random), random_bits<Real>(random));
  }
}

#define BINARY(name, reference, low32, high32, bound32, low64, high64, bound64)             \
  check<float>({#name "f", gridspan_math_##name##_f32, reference, low32, high32, bound32}); \
  check<double>({#name, gridspan_math_##name##_f64, reference, low64, high64, bound64})

TEST(VectorMath, Atan2StaysWithinTheGuidesBounds) {
  BINARY(atan2, atan2l, -1e9F, 1e9F, 3, -1e9, 1e9, 2);
}
TEST(VectorMath, PowStaysWithinTheGuidesBounds) { BINARY(pow, powl, 1e-3F, 80, 4, 1e-3, 700, 2); }
TEST(VectorMath, HypotStaysWithinTheGuidesBounds) {
  BINARY(hypot, hypotl, -1e3F, 1e3F, 3, -1e3, 1e3, 2);
}
TEST(VectorMath, RhypotStaysWithinTheGuidesBounds) {
  BINARY(rhypot, rhypot_long, -1e3F, 1e3F, 2, -1e3, 1e3, 1);
}
TEST(VectorMath, RemaindersAreExact) {
  BINARY(fmod, fmodl, -1e6F, 1e6F, 0, -1e6, 1e6, 0);
  BINARY(remainder, remainderl, -1e6F, 1e6F, 0, -1e6, 1e6, 0);
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
#define SINGLE_32(name, arguments, library)               \
  {#name, [](float x, [[maybe_unused]] float y) {         \
     return CALL_##arguments(gridspan_math_##name##_f32); \
   }},
#define SINGLE_64(name, arguments, library)               \
  {#name, [](double x, [[maybe_unused]] double y) {       \
     return CALL_##arguments(gridspan_math_##name##_f64); \
   }},
const Single<float> single32[] = {GRIDSPAN_FLOAT_FUNCTIONS(SINGLE_32)};
const Single<double> single64[] = {GRIDSPAN_DOUBLE_FUNCTIONS(SINGLE_64)};

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
  EXPECT_GE(compared, std::size(single32) + std::size(single64));
}

TEST(VectorMath, LanesOfAvx2AreSingleNumbers) {
  if (best_instruction_set() < InstructionSet::x86_64_v3) GTEST_SKIP() << "no AVX2 on this CPU";
  compare_forms(vector_forms::of_avx2());
}

TEST(VectorMath, LanesOfAvx512AreSingleNumbers) {
  if (best_instruction_set() < InstructionSet::x86_64_v4) GTEST_SKIP() << "no AVX-512 on this CPU";
  compare_forms(vector_forms::of_avx512());
}

}  // namespace
