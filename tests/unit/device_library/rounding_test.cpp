// Arithmetic and conversions with explicit rounding against the processor's rounding modes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inputs.h"
#include "libdevice.h"
#include "ulp.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>

namespace {

using namespace gridspan::testing;

/// Evaluates `operation` with the processor rounding as `mode`. The barriers keep the compiler from
/// moving or folding the operation.
template <class Operation, class... Values>
auto rounded(int mode, Operation operation, Values... values) {
  auto opaque = [](auto value) {
    asm volatile("" : "+m"(value) : : "memory");
    return value;
  };
  std::fesetround(mode);
  auto result = opaque(operation(opaque(values)...));
  std::fesetround(FE_TONEAREST);
  return result;
}

/// Mostly ordinary numbers, some special, some close to `other` (so that sums cancel).
template <class Real>
Real pick(std::mt19937_64& random, Real other) {
  static const std::vector<Real> special = special_values<Real>();
  auto small = [&] { return static_cast<int>(random() % 5) - 2; };
  switch (random() % 8) {
    case 0:
      return special[random() % special.size()];
    case 1:
      return random_bits<Real>(random);
    case 2:
      return std::nextafter(-other, other * small());
    case 3:
      return std::ldexp(other, static_cast<int>(random() % 130) - 65);
    case 4:
      return static_cast<Real>(small()) * std::ldexp(Real{1}, static_cast<int>(random() % 60));
    case 5:
      return random_in<Real>(random, -std::numeric_limits<Real>::min() * 4,
                             std::numeric_limits<Real>::min() * 4);
    default:
      return random_in<Real>(random, -1000, 1000);
  }
}

constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
#define VARIANTS(name) {name##_rn, name##_rz, name##_ru, name##_rd}

template <class Real, class Function, class Operation>
void check_two(const Function (&variants)[4], Operation operation) {
  std::mt19937_64 random(2024);
  Real b = 1;
  for (int i = 0; i < 400000; ++i) {
    Real a = pick<Real>(random, b);
    b = pick<Real>(random, a);
    for (int mode = 0; mode < 4; ++mode) {
      Real expected = rounded(modes[mode], operation, a, b);
      ASSERT_TRUE(identical(variants[mode](a, b), expected))
          << std::hexfloat << a << ", " << b << " mode " << mode << ": " << variants[mode](a, b)
          << ", expected " << expected;
    }
  }
}
using Two = float (*)(float, float);
using TwoDouble = double (*)(double, double);
auto plus = [](auto a, auto b) { return a + b; };
auto minus = [](auto a, auto b) { return a - b; };
auto times = [](auto a, auto b) { return a * b; };
auto over = [](auto a, auto b) { return a / b; };

TEST(Rounding, FloatSums) { check_two<float, Two>(VARIANTS(__nv_fadd), plus); }
TEST(Rounding, FloatDifferences) { check_two<float, Two>(VARIANTS(__nv_fsub), minus); }
TEST(Rounding, FloatProducts) { check_two<float, Two>(VARIANTS(__nv_fmul), times); }
TEST(Rounding, FloatQuotients) { check_two<float, Two>(VARIANTS(__nv_fdiv), over); }
TEST(Rounding, DoubleSums) { check_two<double, TwoDouble>(VARIANTS(__nv_dadd), plus); }
TEST(Rounding, DoubleDifferences) { check_two<double, TwoDouble>(VARIANTS(__nv_dsub), minus); }
TEST(Rounding, DoubleProducts) { check_two<double, TwoDouble>(VARIANTS(__nv_dmul), times); }
TEST(Rounding, DoubleQuotients) { check_two<double, TwoDouble>(VARIANTS(__nv_ddiv), over); }

template <class From, class Function, class Operation>
void check_unary(const Function (&variants)[4], Operation operation) {
  std::mt19937_64 random(77);
  for (int i = 0; i < 400000; ++i) {
    From a;
    if constexpr (std::is_floating_point_v<From>) {
      a = pick<From>(random, From{3});
    } else {
      a = static_cast<From>(random() >> (random() % 64));
      if (random() & 1) a = static_cast<From>(0) - a;
      if (i == 0) a = std::numeric_limits<From>::max();
      if (i == 1) a = std::numeric_limits<From>::min();
    }
    for (int mode = 0; mode < 4; ++mode) {
      auto expected = rounded(modes[mode], operation, a);
      ASSERT_TRUE(identical(variants[mode](a), expected))
          << std::hexfloat << a << " mode " << mode << ": " << variants[mode](a) << ", expected "
          << expected;
    }
  }
}

TEST(Rounding, RootsAndReciprocals) {
  check_unary<float, float (*)(float)>(VARIANTS(__nv_fsqrt), [](float a) { return sqrtf(a); });
  check_unary<double, double (*)(double)>(VARIANTS(__nv_dsqrt), [](double a) { return sqrt(a); });
  check_unary<float, float (*)(float)>(VARIANTS(__nv_frcp), [](float a) { return 1 / a; });
  check_unary<double, double (*)(double)>(VARIANTS(__nv_drcp), [](double a) { return 1 / a; });
}

TEST(Rounding, ConversionsToFloatingPoint) {
  check_unary<double, float (*)(double)>(VARIANTS(__nv_double2float),
                                         [](double a) { return static_cast<float>(a); });
  check_unary<int, float (*)(int)>(VARIANTS(__nv_int2float),
                                   [](int a) { return static_cast<float>(a); });
  check_unary<unsigned, float (*)(unsigned)>(VARIANTS(__nv_uint2float), [](unsigned a) {
    return static_cast<float>(static_cast<long long>(a));
  });
  check_unary<long long, float (*)(long long)>(VARIANTS(__nv_ll2float),
                                               [](long long a) { return static_cast<float>(a); });
  check_unary<long long, double (*)(long long)>(VARIANTS(__nv_ll2double),
                                                [](long long a) { return static_cast<double>(a); });
}

// The compiler's own unsigned 64-bit conversion is not made for other rounding modes: halves here.
TEST(Rounding, ConversionsFromUnsignedLong) {
  auto halves = [](auto zero) {
    using Real = decltype(zero);
    return [](unsigned long long a) {
      if (a >> 63 == 0) return static_cast<Real>(static_cast<long long>(a));
      return static_cast<Real>(static_cast<long long>(a >> 1 | (a & 1))) * 2;
    };
  };
  check_unary<unsigned long long, float (*)(unsigned long long)>(VARIANTS(__nv_ull2float),
                                                                 halves(0.0F));
  check_unary<unsigned long long, double (*)(unsigned long long)>(VARIANTS(__nv_ull2double),
                                                                  halves(0.0));
}

template <class Real, class Function, class Operation>
void check_fma(const Function (&variants)[4], Operation operation) {
  std::mt19937_64 random(1);
  Real c = 1;
  for (int i = 0; i < 400000; ++i) {
    Real a = pick<Real>(random, c), b = pick<Real>(random, a);
    c = pick<Real>(random, a * b);
    for (int mode = 0; mode < 4; ++mode) {
      Real expected = rounded(modes[mode], operation, a, b, c);
      ASSERT_TRUE(identical(variants[mode](a, b, c), expected))
          << std::hexfloat << a << " * " << b << " + " << c << " mode " << mode << ": "
          << variants[mode](a, b, c) << ", expected " << expected;
    }
  }
}
TEST(Rounding, FusedMultiplyAdd) {
  check_fma<float, float (*)(float, float, float)>(
      VARIANTS(__nv_fmaf), [](float a, float b, float c) { return std::fma(a, b, c); });
  check_fma<double, double (*)(double, double, double)>(
      VARIANTS(__nv_fma), [](double a, double b, double c) { return std::fma(a, b, c); });
}

// y = 1/sqrt(a) rounded to nearest: a lies between the reciprocal squares of y's two midpoints.
TEST(Rounding, ReciprocalRootIsCorrectForEveryMantissa) {
  for (float a = 1; a < 4; a = std::nextafter(a, 5.0F)) {
    float y = __nv_frsqrt_rn(a);
    long double below = (static_cast<long double>(y) + std::nextafter(y, 0.0F)) / 2;
    long double above = (static_cast<long double>(y) + std::nextafter(y, 2.0F)) / 2;
    ASSERT_TRUE(below * below * a <= 1 && above * above * a >= 1) << std::hexfloat << a;
  }
  EXPECT_EQ(__nv_frsqrt_rn(0), HUGE_VALF);
  EXPECT_EQ(__nv_frsqrt_rn(HUGE_VALF), 0);
}

template <class To, class From, class Function>
void check_to_integer(const Function (&variants)[4]) {
  std::mt19937_64 random(5);
  constexpr To low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
  for (int i = 0; i < 400000; ++i) {
    From a = pick<From>(random, std::ldexp(From{1}, static_cast<int>(random() % 70)));
    if (i % 4 == 0) a = std::nextafter(static_cast<From>(i % 8 ? low : high), a);
    From whole[4] = {std::rint(a), std::trunc(a), std::ceil(a), std::floor(a)};
    for (int mode = 0; mode < 4; ++mode) {
      To expected;
      if (std::isnan(a)) {
        bool zero = sizeof(To) == 4 && sizeof(From) == 4;
        expected = zero ? To{0} : static_cast<To>(To{1} << (sizeof(To) * 8 - 1));
      } else if (whole[mode] <= static_cast<long double>(low)) {
        expected = low;
      } else if (whole[mode] >= static_cast<long double>(high)) {
        expected = high;
      } else {
        expected = static_cast<To>(whole[mode]);
      }
      ASSERT_EQ(variants[mode](a), expected) << std::hexfloat << a << " mode " << mode;
    }
  }
}
TEST(Rounding, ConversionsToIntegersSaturate) {
  check_to_integer<int, float, int (*)(float)>(VARIANTS(__nv_float2int));
  check_to_integer<unsigned, float, unsigned (*)(float)>(VARIANTS(__nv_float2uint));
  check_to_integer<long long, float, long long (*)(float)>(VARIANTS(__nv_float2ll));
  check_to_integer<unsigned long long, float, unsigned long long (*)(float)>(
      VARIANTS(__nv_float2ull));
  check_to_integer<int, double, int (*)(double)>(VARIANTS(__nv_double2int));
  check_to_integer<unsigned, double, unsigned (*)(double)>(VARIANTS(__nv_double2uint));
  check_to_integer<long long, double, long long (*)(double)>(VARIANTS(__nv_double2ll));
  check_to_integer<unsigned long long, double, unsigned long long (*)(double)>(
      VARIANTS(__nv_double2ull));
}

TEST(Rounding, HalfPrecision) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<unsigned short>(bits);
    bool is_nan = (bits & 0x7c00u) == 0x7c00u && (bits & 0x3ffu);
    float value = __nv_half2float(half);
    if (is_nan) {
      EXPECT_TRUE(std::isnan(value));
      continue;
    }
    int exponent = static_cast<int>(bits >> 10 & 31);
    double expected = exponent == 31 ? HUGE_VAL
                      : exponent     ? std::ldexp(1024 + (bits & 0x3ff), exponent - 25)
                                     : std::ldexp(bits & 0x3ff, -24);
    EXPECT_TRUE(identical(value, static_cast<float>(bits & 0x8000 ? -expected : expected)));
    EXPECT_EQ(__nv_float2half_rn(value), half);
    // Halfway to the next: to the even one of the two. Beyond: up.
    if ((bits & 0x7fffu) < 0x7bffu) {
      float next = __nv_half2float(static_cast<unsigned short>(bits + 1));
      float middle = (value + next) / 2;
      EXPECT_EQ(__nv_float2half_rn(middle), (bits + 1) & ~1u);
      EXPECT_EQ(__nv_float2half_rn(std::nextafter(middle, value)), bits);
      EXPECT_EQ(__nv_float2half_rn(std::nextafter(middle, next)), bits + 1);
    }
  }
  EXPECT_EQ(__nv_float2half_rn(65519.996F), 0x7bff);
  EXPECT_EQ(__nv_float2half_rn(65520.0F), 0x7c00);
  EXPECT_EQ(__nv_float2half_rn(1e30F), 0x7c00);
}

}  // namespace
