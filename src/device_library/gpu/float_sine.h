// Sines of float: an argument is cut to an eighth of a turn, where short polynomials do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../series.h"

namespace gridspan::device_library {

/// x = quarters * pi / 2 + rest, |rest| <= pi / 4 and a little; of the quarters only the last two
/// bits count.
struct Reduced {
  int quarters;
  float rest;
};

/// For numbers of many turns: the binary places of x * 2 / pi that tell the quarter and the rest,
/// from a product with 192 bits of 2 / pi (Payne and Hanek, 1983).
static inline __attribute__((always_inline)) Reduced reduce_large(float x) {
  using Word = unsigned;
  using Long = unsigned long long;
  constexpr Word two_over_pi[] = {0x3c439041, 0xdb629599, 0xf534ddc0,
                                  0xfc2757d1, 0x4e441529, 0xa2f9836e};
  const Word bits = __builtin_bit_cast(Word, x);
  const Word mantissa = bits << 8 | 0x80000000U;
  const Word skipped = (bits >> 23 & 255) - 128;  // places in front of the quarter: 15 to 126
  Word product[7];
  Word carry = 0;
#pragma unroll
  for (int i = 0; i < 6; ++i) {
    const Long sum = static_cast<Long>(two_over_pi[i]) * mantissa + carry;
    product[i] = static_cast<Word>(sum);
    carry = static_cast<Word>(sum >> 32);
  }
  product[6] = carry;
  Word first = product[6], second = product[5], third = product[4];
#pragma unroll
  for (Word whole = 1; whole < 4; ++whole) {
    const bool is_here = skipped >> 5 == whole;
    first = is_here ? product[6 - whole] : first;
    second = is_here ? product[5 - whole] : second;
    third = is_here ? product[4 - whole] : third;
  }
  const Word shift = skipped & 31;
  const Long places = (static_cast<Long>(first) << 32 | second) << shift |
                      (static_cast<Long>(third) << shift) >> 32;
  // Above half a quarter, the rest is what is missing to the next one.
  const auto fraction = static_cast<long long>(places << 2);
  const int quarters = static_cast<int>(places >> 62) + (fraction < 0);
  const auto rest = static_cast<float>(static_cast<double>(fraction) * 0x1.921fb54442d18p-64);
  return x < 0 ? Reduced{-quarters, -rest} : Reduced{quarters, rest};
}

static inline __attribute__((always_inline)) Reduced reduce(float x) {
  constexpr float two_over_pi = 0x1.45f306p-1F;
  // pi / 2 in three pieces; a product with the first, up to 2^17 quarters, leaves an exact rest.
  constexpr float high = 0x1.921fb4p+0F, middle = 0x1.4442d0p-24F, low = 0x1.84698ap-48F;
  constexpr float most = 100000;
  const float size = __builtin_fabsf(x);
  if (!(size <= most)) return size < __builtin_inff() ? reduce_large(x) : Reduced{0, x - x};
  const int quarters = __nvvm_f2i_rn(x * two_over_pi);
  const auto count = static_cast<float>(quarters);
  const float rest =
      __builtin_fmaf(count, -low, __builtin_fmaf(count, -middle, __builtin_fmaf(count, -high, x)));
  return {quarters, rest};
}

inline constexpr float sine_tail[] = {-0x1.9ac6fcp-13F, 0x1.110c24p-7F, -0x1.555552p-3F};
inline constexpr float cosine_tail[] = {0x1.9bd670p-16F, -0x1.6c12cep-10F, 0x1.555554p-5F, -0.5F};

/// What is the sine of 0, 1, 2, 3 quarters more; cosines are a quarter ahead.
static inline __attribute__((always_inline)) float with_sign_of(int quarters, float value) {
  return (quarters & 2) != 0 ? -value : value;
}

/// The sine, where one of the two is all that is asked for: threads of a warp, in whatever
/// quarters, go the same way.
static inline __attribute__((always_inline)) float sine_of(int quarters, float x) {
  const bool is_cosine = (quarters & 1) != 0;
  const float square = x * x;
  float series = is_cosine ? cosine_tail[0] : 0.0F;
#pragma unroll
  for (unsigned i = 0; i < 3; ++i)
    series = __builtin_fmaf(series, square, is_cosine ? cosine_tail[i + 1] : sine_tail[i]);
  const float factor = is_cosine ? square : __builtin_fmaf(square, x, 0.0F);
  const float start = is_cosine ? 1.0F : x;
  return with_sign_of(quarters, __builtin_fmaf(series, factor, start));
}

}  // namespace gridspan::device_library
