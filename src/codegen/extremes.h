// The least and the greatest value of a name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/isl_code.h"

#include <string>
#include <vector>

namespace gridspan::codegen {

/// Intervals, each there where its condition holds and it is not empty. isl could say which of them
/// counts, but takes long to tell all cases apart; code compares.
struct Extremes {
  struct Interval {
    isl::set condition;                        // over parameters
    std::vector<isl::pw_aff> least, greatest;  // the tightest counts; empty: no end
  };
  std::vector<Interval> intervals;

  bool has_least() const;
  bool has_greatest() const;
};

/// Over the points of `set`, in terms of its other parameters.
Extremes extremes_of(const isl::set& set, const std::string& parameter);

/// The end that counts, if there is one; arbitrary where there are no points.
Number least(IslCode& code, const Extremes& extremes);
Number greatest(IslCode& code, const Extremes& extremes);

/// One that is never below the greatest value, as an expression; it has to have an end.
isl::pw_aff above(const Extremes& extremes);

}  // namespace gridspan::codegen
