// Numbers of many turns, cut to an eighth of one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The binary places of x * 2 / pi that tell the quarter and the rest, from a product with 192 bits
// of 2 / pi (M. H. Payne and R. N. Hanek, Radian reduction for trigonometric functions, 1983). Of
// one number: hardly any program asks for it.
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

/// x = quarters * pi / 2 + rest, |rest| <= pi / 4; of the quarters only the last two bits count.
template <class Real>
struct LargeTurn {
  int quarters;
  Real rest;
};

/// |x| from 2 to infinity.
[[maybe_unused]] static __attribute__((noinline)) LargeTurn<float> reduce_large(float x) {
  constexpr std::uint32_t two_over_pi[] = {0x3c439041, 0xdb629599, 0xf534ddc0,
                                           0xfc2757d1, 0x4e441529, 0xa2f9836e};
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t mantissa = bits << 8 | 0x80000000U;
  const std::uint32_t skipped = (bits >> 23 & 255) - 128;  // places in front of the quarter
  std::uint32_t product[7];
  std::uint32_t carry = 0;
  for (int i = 0; i < 6; ++i) {
    const std::uint64_t sum = std::uint64_t{two_over_pi[i]} * mantissa + carry;
    product[i] = static_cast<std::uint32_t>(sum);
    carry = static_cast<std::uint32_t>(sum >> 32);
  }
  product[6] = carry;
  const std::uint32_t whole = skipped >> 5, shift = skipped & 31;
  const std::uint64_t pair = std::uint64_t{product[6 - whole]} << 32 | product[5 - whole];
  const std::uint64_t places = pair << shift | (std::uint64_t{product[4 - whole]} << shift) >> 32;
  // Above half a quarter, the rest is what is missing to the next one.
  const auto fraction = static_cast<std::int64_t>(places << 2);
  const int quarters = static_cast<int>(places >> 62) + (fraction < 0);
  const auto rest = static_cast<float>(static_cast<double>(fraction) * 0x1.921fb54442d18p-64);
  return x < 0 ? LargeTurn<float>{-quarters, -rest} : LargeTurn<float>{quarters, rest};
}

/// |x| from 2 to infinity.
[[maybe_unused]] static __attribute__((noinline)) LargeTurn<double> reduce_large(double x) {
  using Word = std::uint64_t;
  __extension__ using Wide = unsigned __int128;
  // After the binary point, and 64 places in front of it.
  constexpr Word two_over_pi[] = {
      0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
      0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
      0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
      0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
      0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
  const auto bits = __builtin_bit_cast(Word, x);
  const Word mantissa = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  // x is mantissa * 2^(exponent - 52): places up to the exponent - 54th make whole turns.
  const unsigned exponent = static_cast<unsigned>(bits >> 52 & 0x7ff) - 1023;
  const unsigned first = exponent - 54 + 64, word = first / 64, shift = first % 64;
  Word places[3];
  for (unsigned i = 0; i < 3; ++i) {
    const Wide pair = static_cast<Wide>(two_over_pi[word + i]) << 64 | two_over_pi[word + i + 1];
    places[i] = static_cast<Word>(pair << shift >> 64);
  }
  // The last 192 bits of the product; two of them are in front of the point.
  const Wide low = static_cast<Wide>(places[2]) * mantissa;
  const Wide middle = static_cast<Wide>(places[1]) * mantissa + static_cast<Word>(low >> 64);
  const Word high = places[0] * mantissa + static_cast<Word>(middle >> 64);
  const Wide top = static_cast<Wide>(high) << 64 | static_cast<Word>(middle);
  const Wide fraction = top << 2 | static_cast<Word>(low) >> 62;
  // Above half a quarter, the rest is what is missing to the next one.
  const bool is_above = static_cast<Word>(fraction >> 64) >> 63 != 0;
  const Wide size = is_above ? -fraction : fraction;
  const int quarters = static_cast<int>(high >> 62) + is_above;
  const auto size_high = static_cast<Word>(size >> 64);
  const int zeros = size_high == 0 ? 64 : __builtin_clzll(size_high);
  const auto kept = static_cast<Word>(size << zeros >> 64), kept_low = kept & 0x7ff;
  const auto first_places = static_cast<double>(kept - kept_low);  // exact
  const double small = __builtin_fma(first_places, 0x1.1a62633145c07p-54,
                                     static_cast<double>(kept_low) * 0x1.921fb54442d18p+0);
  const double angle = __builtin_fma(first_places, 0x1.921fb54442d18p+0, small);
  const double scale = __builtin_bit_cast(double, static_cast<Word>(1023 - 64 - zeros) << 52);
  const double rest = angle * (is_above ? -scale : scale);
  return x < 0 ? LargeTurn<double>{-quarters, -rest} : LargeTurn<double>{quarters, rest};
}

}  // namespace gridspan::devices::cpu::math
