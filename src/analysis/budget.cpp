// Dealing out what is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/budget.h"

#include "model/allowance.h"

#include <algorithm>

namespace gridspan::analysis {

bool Budget::allows(const std::function<void()>& question) {
  constexpr unsigned long least = 2'000, share_of_the_rest = 2;
  if (left_ <= kept_) return false;
  const unsigned long weight = model::weight_of(kernel_);
  const unsigned long share = std::max((left_ - kept_) / share_of_the_rest / weight, least);
  unsigned long done = 0;
  const bool finished = model::within_limit(context_, share, question, &done);
  left_ -= std::min(left_, done * weight);
  return finished;
}

}  // namespace gridspan::analysis
