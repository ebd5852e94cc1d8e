// An independent idea of 16-bit floating-point formats: a table of all their numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "check.h"

#include <algorithm>
#include <limits>

namespace check {

/// Numbers of `exponent_bits` and `fraction_bits`; doubles hold them exactly.
class SmallFormat {
 public:
  SmallFormat(int exponent_bits, int fraction_bits) : fraction_bits_(fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
    for (int bits = 0; bits < top << fraction_bits; ++bits) {
      const int exponent = bits >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
      const double digits = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
      positive_.push_back(
          std::ldexp(digits, (exponent == 0 ? 1 : exponent) - bias - fraction_bits));
    }
    infinity_ = top << fraction_bits;
  }

  double value(unsigned short bits) const {
    const unsigned magnitude = bits & 0x7fff;
    const double size = magnitude < positive_.size() ? positive_[magnitude]
                        : magnitude == infinity_     ? std::numeric_limits<double>::infinity()
                                                     : std::numeric_limits<double>::quiet_NaN();
    return bits & 0x8000 ? -size : size;
  }
  bool is_nan(unsigned short bits) const { return (bits & 0x7fffu) > infinity_; }

  /// Nearest, ties to even; 'z' toward zero, 'd' down, 'u' up.
  unsigned short round(double exact, char how = 'n') const {
    if (std::isnan(exact)) return 0x7fff;
    const unsigned short sign = std::signbit(exact) ? 0x8000 : 0;
    const double size = std::fabs(exact);
    if (std::isinf(size)) return sign | infinity_;
    // below <= size < above
    const auto above = std::upper_bound(positive_.begin(), positive_.end(), size);
    const unsigned below = unsigned(above - positive_.begin()) - 1;
    if (positive_[below] == size) return sign | below;
    const bool last = below + 1 == positive_.size();
    const bool away = how == (sign ? 'd' : 'u');
    if (how != 'n') return sign | (below + away);
    const double next = last ? 2 * positive_[below] - positive_[below - 1] : positive_[below + 1];
    const double middle = (positive_[below] + next) / 2;
    return sign | (below + (size > middle || (size == middle && below % 2 == 1)));
  }

 private:
  int fraction_bits_;
  unsigned infinity_;
  std::vector<double> positive_;  // by bits
};

}  // namespace check
