// Integer functions of the device library against bit-by-bit definitions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inputs.h"
#include "libdevice.h"
#include "ulp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>

namespace {

using namespace gridspan::testing;

class Integers : public ::testing::Test {
 protected:
  int next() {
    switch (random_() % 4) {
      case 0:
        return interesting_[random_() % std::size(interesting_)];
      default:
        return static_cast<int>(random_() >> (random_() % 32));
    }
  }
  long long next_long() {
    return random_() % 4 == 0 ? next() : static_cast<long long>(random_() >> (random_() % 64));
  }
  std::mt19937_64 random_{42};

 private:
  static constexpr int interesting_[] = {0,       1,       -1,          2,           255,
                                         256,     -256,    0x7fffff,    0x800000,    -0x800000,
                                         INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1, 0x55555555};
};

TEST_F(Integers, Bits) {
  for (int i = 0; i < 100000; ++i) {
    int x = next();
    long long y = next_long();
    int count = 0, leading = 32, first = 0;
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) {
      if (static_cast<unsigned>(x) >> bit & 1) {
        ++count;
        leading = 31 - bit;
        if (!first) first = bit + 1;
        reversed |= 1u << (31 - bit);
      }
    }
    ASSERT_EQ(__nv_popc(static_cast<unsigned>(x)), count);
    ASSERT_EQ(__nv_clz(x), leading);
    ASSERT_EQ(__nv_ffs(x), first);
    ASSERT_EQ(static_cast<unsigned>(__nv_brev(x)), reversed);
    count = 0, leading = 64, first = 0;
    unsigned long long reversed_long = 0;
    for (int bit = 0; bit < 64; ++bit) {
      if (static_cast<unsigned long long>(y) >> bit & 1) {
        ++count;
        leading = 63 - bit;
        if (!first) first = bit + 1;
        reversed_long |= 1ull << (63 - bit);
      }
    }
    ASSERT_EQ(__nv_popcll(static_cast<unsigned long long>(y)), count);
    ASSERT_EQ(__nv_clzll(y), leading);
    ASSERT_EQ(__nv_ffsll(y), first);
    ASSERT_EQ(static_cast<unsigned long long>(__nv_brevll(y)), reversed_long);
  }
}

TEST_F(Integers, Products) {
  for (int i = 0; i < 100000; ++i) {
    int a = next(), b = next();
    unsigned ua = static_cast<unsigned>(a), ub = static_cast<unsigned>(b);
    long long la = next_long(), lb = next_long();
    ASSERT_EQ(__nv_mulhi(a, b), static_cast<int>((static_cast<std::int64_t>(a) * b) >> 32));
    ASSERT_EQ(__nv_umulhi(ua, ub), static_cast<std::uint64_t>(ua) * ub >> 32);
    __extension__ using Wide = __int128;
    __extension__ using UnsignedWide = unsigned __int128;
    ASSERT_EQ(__nv_mul64hi(la, lb), static_cast<long long>((static_cast<Wide>(la) * lb) >> 64));
    auto ula = static_cast<unsigned long long>(la), ulb = static_cast<unsigned long long>(lb);
    ASSERT_EQ(__nv_umul64hi(ula, ulb),
              static_cast<unsigned long long>((static_cast<UnsignedWide>(ula) * ulb) >> 64));
    auto low24 = [](int x) { return (x & 0x800000) ? (x | ~0xffffff) : (x & 0xffffff); };
    ASSERT_EQ(__nv_mul24(a, b), static_cast<int>(static_cast<std::int64_t>(low24(a)) * low24(b)));
    ASSERT_EQ(__nv_umul24(ua, ub),
              static_cast<unsigned>(static_cast<std::uint64_t>(ua & 0xffffff) * (ub & 0xffffff)));
  }
}

TEST_F(Integers, AveragesDifferencesAndBounds) {
  for (int i = 0; i < 100000; ++i) {
    int a = next(), b = next(), c = next();
    unsigned ua = static_cast<unsigned>(a), ub = static_cast<unsigned>(b);
    std::int64_t wide = static_cast<std::int64_t>(a) + b;
    std::uint64_t unsigned_wide = static_cast<std::uint64_t>(ua) + ub;
    ASSERT_EQ(__nv_hadd(a, b), static_cast<int>(wide >> 1));
    ASSERT_EQ(__nv_rhadd(a, b), static_cast<int>((wide + 1) >> 1));
    ASSERT_EQ(static_cast<unsigned>(__nv_uhadd(ua, ub)), unsigned_wide >> 1);
    ASSERT_EQ(__nv_urhadd(ua, ub), (unsigned_wide + 1) >> 1);
    std::int64_t distance = std::abs(static_cast<std::int64_t>(a) - b);
    ASSERT_EQ(__nv_sad(a, b, c), static_cast<int>(distance + c));
    ASSERT_EQ(__nv_usad(ua, ub, 7), static_cast<unsigned>((ua > ub ? ua - ub : ub - ua) + 7));
    ASSERT_EQ(__nv_min(a, b), std::min(a, b));
    ASSERT_EQ(__nv_umax(ua, ub), std::max(ua, ub));
    if (a != INT_MIN) ASSERT_EQ(__nv_abs(a), std::abs(a));
  }
  EXPECT_EQ(__nv_abs(INT_MIN), INT_MIN);
  EXPECT_EQ(__nv_llabs(LLONG_MIN), LLONG_MIN);
}

TEST_F(Integers, BytePermutation) {
  for (int i = 0; i < 100000; ++i) {
    int a = next(), b = next(), selector = next();
    unsigned char bytes[8];
    std::memcpy(bytes, &a, 4);
    std::memcpy(bytes + 4, &b, 4);
    unsigned char expected[4];
    for (int k = 0; k < 4; ++k) {
      int pick = selector >> (4 * k) & 15;
      unsigned char byte = bytes[pick & 7];
      expected[k] = pick & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
    }
    int result = __nv_byte_perm(a, b, selector);
    ASSERT_EQ(std::memcmp(&result, expected, 4), 0);
  }
}

TEST_F(Integers, Reinterpretation) {
  EXPECT_EQ(__nv_float_as_int(1.0F), 0x3f800000);
  EXPECT_EQ(__nv_int_as_float(0x3f800000), 1.0F);
  EXPECT_EQ(__nv_double2hiint(-2.5), static_cast<int>(0xc0040000));
  EXPECT_EQ(__nv_double2loint(1.1), static_cast<int>(0x9999999a));
  EXPECT_EQ(__nv_hiloint2double(__nv_double2hiint(1.1), __nv_double2loint(1.1)), 1.1);
  EXPECT_EQ(__nv_hiloint2double(0x3ff00000, -1), 0x1.00000ffffffffp0);
}

TEST(Simple, Functions) {
  EXPECT_EQ(__nv_saturatef(-1), 0);
  EXPECT_EQ(__nv_saturatef(0.25F), 0.25F);
  EXPECT_EQ(__nv_saturatef(7), 1);
  EXPECT_EQ(__nv_saturatef(std::nanf("")), 0);
  EXPECT_EQ(__nv_fmin(std::nan(""), 2), 2);
  EXPECT_EQ(__nv_fmaxf(3, std::nanf("")), 3);
  EXPECT_EQ(__nv_fdim(3, 5), 0);
  EXPECT_EQ(__nv_fdim(5, 3), 2);
  EXPECT_TRUE(std::isnan(__nv_fdimf(1, std::nanf(""))));
  EXPECT_EQ(__nv_rint(2.5), 2);
  EXPECT_EQ(__nv_round(2.5), 3);
  EXPECT_EQ(__nv_llroundf(-2.5F), -3);
  EXPECT_EQ(__nv_llrint(-2.5), -2);
  double whole;
  EXPECT_TRUE(identical(__nv_modf(-3.25, &whole), -0.25));
  EXPECT_EQ(whole, -3);
  EXPECT_TRUE(identical(__nv_modf(-HUGE_VAL, &whole), -0.0));
  EXPECT_EQ(whole, -HUGE_VAL);
  float float_whole;
  EXPECT_EQ(__nv_modff(7.5F, &float_whole), 0.5F);
  int exponent;
  EXPECT_EQ(__nv_frexpf(12.0F, &exponent), 0.75F);
  EXPECT_EQ(exponent, 4);
  int quotient;
  EXPECT_EQ(__nv_remquo(29.0, 3.0, &quotient), -1);
  EXPECT_EQ(quotient & 7, 10 & 7);
  EXPECT_EQ(__nv_ldexp(0.75, 4), 12);
  EXPECT_EQ(__nv_scalbnf(1.0F, -149), 0x1p-149F);
  EXPECT_EQ(__nv_logb(0x1.8p-1060), -1060);
  EXPECT_TRUE(__nv_signbitf(-0.0F));
  EXPECT_FALSE(__nv_signbitd(0.0));
  EXPECT_TRUE(__nv_isinfd(-HUGE_VAL));
  EXPECT_TRUE(__nv_isnanf(__nv_nanf(nullptr)));
  EXPECT_TRUE(__nv_finitef(1));
  double sine, cosine;
  __nv_sincospi(0.5, &sine, &cosine);
  EXPECT_EQ(sine, 1);
  EXPECT_EQ(cosine, 0);
  EXPECT_TRUE(identical(__nv_sinpi(-3.0), -0.0));
  EXPECT_TRUE(std::isnan(__nv_cospi(HUGE_VAL)));
}

}  // namespace
