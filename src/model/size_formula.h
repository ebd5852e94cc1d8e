// How many elements boxes have, as a formula in a launch's parameters, found from samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ends of boxes are taken to be sums of parameters and of products of two. What each
// contributes follows from launches in which it, or both, are changed; that the sums are right is
// up to further launches, which the formula must foresee.
#pragma once

#include "model/boxes.h"
#include "model/experiment.h"

namespace gridspan::model {

/// Boxes that have no element in common, at all launches of an experiment.
class SizeFormula {
 public:
  /// The length of a box's side, in halves.
  struct Sum {
    std::vector<std::pair<std::string, long>> terms;  // parameters, or products of two
    long constant = 0;
  };
  /// Nothing where an end is no sum with whole or half coefficients.
  static std::optional<SizeFormula> of(const std::vector<BoxOf<Samples>>& boxes,
                                       const Experiment& experiment);
  /// "8*(n - 2)", of so many bytes each.
  std::string text(unsigned element_bytes) const;
  bool foresees(double elements, const Values& launch) const;
  const std::vector<std::vector<Sum>>& boxes() const { return boxes_; }

 private:
  static std::optional<Sum> side(const RangeOf<Samples>& range, const Experiment& experiment);
  static std::string text_of(const std::vector<Sum>& box, unsigned element_bytes);

  std::vector<std::vector<Sum>> boxes_;
};

}  // namespace gridspan::model
