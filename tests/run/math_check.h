// Helpers of the math tests: arguments, errors in ulp, one kernel per function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "check.h"

#include <limits>

namespace math_check {

using Long = long double;

/// CUDA's measure: how many representable numbers lie between the result and the correctly rounded
/// one. Two NaNs are equal; a NaN and a number are not.
inline double ulps(double got, double want) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : 1e30;
  auto ordered = [](double x) {
    std::int64_t bits;
    std::memcpy(&bits, &x, 8);
    return bits < 0 ? INT64_MIN - bits : bits;
  };
  return static_cast<double>(std::fabs(static_cast<Long>(ordered(got)) - ordered(want)));
}
inline double ulps(float got, float want) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : 1e30;
  auto ordered = [](float x) {
    std::int32_t bits;
    std::memcpy(&bits, &x, 4);
    return bits < 0 ? std::int64_t{INT32_MIN} - bits : bits;
  };
  return std::fabs(static_cast<double>(ordered(got) - ordered(want)));
}

template <class Real>
std::vector<Real> special_values() {
  using L = std::numeric_limits<Real>;
  std::vector<Real> values = {0,
                              L::denorm_min(),
                              L::min() / 2,
                              L::min(),
                              L::epsilon(),
                              Real(0.5),
                              std::nextafter(Real{1}, Real{0}),
                              1,
                              std::nextafter(Real{1}, Real{2}),
                              Real(1.5),
                              2,
                              Real(2.5),
                              3,
                              10,
                              2 / L::epsilon() + 2,
                              L::max() / 2,
                              L::max(),
                              L::infinity()};
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  values.push_back(L::quiet_NaN());
  return values;
}

/// Special values, then numbers from [low, high]: half uniform, half of any magnitude.
template <class Real>
std::vector<Real> arguments(std::size_t count, double low, double high, int seed) {
  std::vector<Real> values = special_values<Real>();
  check::Random random(seed);
  const double largest = std::fmax(std::fabs(low), std::fabs(high));
  const double smallest = low > 0 ? low : high < 0 ? -high : largest * 1e-12;
  while (values.size() < count) {
    if (random.bits() & 1) {
      values.push_back(static_cast<Real>(low + random.real(0, 1) * static_cast<Long>(high) -
                                         random.real(0, 1) * static_cast<Long>(low)));
    } else {
      double x = std::exp(random.real(std::log(smallest), std::log(largest)));
      values.push_back(static_cast<Real>(high < 0 || (low < 0 && (random.bits() & 1)) ? -x : x));
    }
    if (!(values.back() >= low && values.back() <= high)) values.pop_back();
  }
  return values;
}

template <class Function, class Real>
__global__ void apply(const Real* in, Real* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = Function()(in[i]);
}
template <class Function, class Real>
__global__ void apply(const Real* a, const Real* b, Real* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = Function()(a[i], b[i]);
}

/// Notes a failure if some result is off by more than `bound`. Where the exact result is no
/// ordinary number, the result must be the same special value. Special arguments outside [low,
/// high], where CUDA states no bound, need not be exact.
template <class Real, class Reference>
void judge(const char* name, const std::vector<Real>& in, const std::vector<Real>& out,
           Reference reference, double low, double high, double bound) {
  double worst = 0;
  Real where = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    ++check::comparisons;
    const Real want = static_cast<Real>(reference(static_cast<Long>(in[i])));
    const bool ordinary = std::isfinite(want) && std::isfinite(in[i]);
    if (ordinary && !(in[i] >= low && in[i] <= high)) continue;
    const double distance = !std::isfinite(want) && out[i] == want ? 0 : ulps(out[i], want);
    if (distance > worst) {
      worst = distance;
      where = in[i];
    }
  }
  std::printf("%-10s %g ulp, allowed %g\n", name, worst, bound);
  if (worst > bound) {
    ++check::failures;
    std::fprintf(stderr, "%s(%.17g): off by %g ulp, allowed %g\n", name, static_cast<double>(where),
                 worst, bound);
  }
}

template <class Function, class Real, class Reference>
void test(const char* name, Reference reference, double low, double high, double bound) {
  const std::vector<Real> in = arguments<Real>(20011, low, high, 1 + static_cast<int>(bound));
  check::Array<Real> source(in), result(in.size());
  const int count = static_cast<int>(in.size());
  apply<Function, Real><<<(count + 95) / 96, 96>>>(source.data(), result.data(), count);
  judge(name, in, result.get(), reference, low, high, bound);
}

// References that the C library has no name for.
constexpr Long pi = 3.14159265358979323846264338327950288L;
inline Long ref_rsqrt(Long x) { return 1 / sqrtl(x); }
inline Long ref_rcbrt(Long x) { return 1 / cbrtl(x); }
inline Long ref_exp10(Long x) { return powl(10, x); }
inline Long ref_lgamma(Long x) {
  int sign;
  return lgammal_r(x, &sign);
}
inline Long ref_sinpi(Long x) {
  const Long rest = x - 2 * rintl(x / 2), half = rintl(2 * rest), f = rest - half / 2;
  const int quarter = static_cast<int>(half) & 3;
  const Long value = quarter & 1 ? cosl(pi * f) : sinl(pi * f);
  return quarter & 2 ? -value : value;
}
inline Long ref_cospi(Long x) {
  const Long rest = x - 2 * rintl(x / 2), half = rintl(2 * rest), f = rest - half / 2;
  const int quarter = static_cast<int>(half) & 3;
  const Long value = quarter & 1 ? sinl(pi * f) : cosl(pi * f);
  return quarter == 1 || quarter == 2 ? -value : value;
}

}  // namespace math_check

/// Tests the device function `function` (named so on the device) of `Real`.
#define TEST_FUNCTION(Real, function, reference, low, high, bound)                     \
  do {                                                                                 \
    struct Call {                                                                      \
      __device__ Real operator()(Real x) const { return function(x); }                 \
    };                                                                                 \
    math_check::test<Call, Real>(                                                      \
        #function, [](math_check::Long x) { return reference(x); }, low, high, bound); \
  } while (0)
