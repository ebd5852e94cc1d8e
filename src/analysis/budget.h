// What the analysis of one kernel may cost, over all its questions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <functional>

namespace gridspan::analysis {

/// Counts operations of isl times the symbols the kernel has so far, so that every machine finds
/// the same: an operation goes through a row of numbers, one for each symbol. (Measured: 14 to 35
/// ns for each on this project's machines.) Questions do not nest. They come in parts, such as
/// those about one array: none of them leaves nothing for the others.
class Budget {
 public:
  Budget(isl::ctx context, const model::Kernel& kernel, unsigned long work)
      : context_(context), kernel_(kernel), left_(work) {}

  /// Runs `question` on a part of what is left: the first questions get most, none gets all. False
  /// when it was cut short.
  bool allows(const std::function<void()>& question);

  /// What follows, up to the next call, leaves an eighth to others, unless it is the last part.
  void next_part(bool is_last = false) { kept_ = is_last ? 0 : left_ / 8; }

 private:
  isl::ctx context_;
  const model::Kernel& kernel_;
  unsigned long left_, kept_ = 0;
};

}  // namespace gridspan::analysis
