// What the kernels of a module may cost together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gridspan::model {

/// What an operation of isl on this kernel's sets counts for: it goes through a row of numbers, one
/// for each symbol.
inline unsigned long weight_of(const Kernel& kernel) {
  return 1 + kernel.parameters.size() + kernel.dimensions.size();
}

/// What isl may do in one stage for a module of so many kernels, in operations times symbols: each
/// kernel may have what most need. (400'000'000 take about ten seconds.)
inline unsigned long module_work(std::size_t kernels) {
  return std::max(400'000'000UL, 4'000'000UL * kernels);
}

/// Each kernel has limits for isl's work; a module with many large kernels would still take
/// minutes. As long as half of the allowance is there each kernel gets its whole limits, and then
/// the less the less there is: together they never need much more, no kernel gets nothing, and the
/// few kernels of an ordinary module never notice.
class Allowance {
 public:
  explicit Allowance(unsigned long work) : half_(work / 2), left_(work) {}

  /// `limit`: of one kernel.
  unsigned long share(unsigned long limit) {
    constexpr unsigned long whole = 256, least = 1;
    if (left_ >= half_) return limit;
    has_given_less_ = true;
    return limit / whole * std::max(left_ * whole / half_, least);
  }

  /// Whether some share was less than the limit, since this was asked last.
  bool has_given_less() { return std::exchange(has_given_less_, false); }

  void spend(unsigned long work) { left_ -= std::min(left_, work); }

 private:
  unsigned long half_, left_;
  bool has_given_less_ = false;
};

}  // namespace gridspan::model
