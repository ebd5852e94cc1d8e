// Requirements of the evaluation → assumptions of the model, as far as they can't be proved.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/evaluator.h"

namespace gridspan::analysis {

class AssumptionTable {
 public:
  AssumptionTable(Evaluator& evaluator, Symbols& symbols, model::Kernel& kernel)
      : evaluator_(evaluator), symbols_(symbols), kernel_(kernel) {}

  /// The assumptions these requirements come to, as indices into Kernel::assumptions. Requirements
  /// that the values in others rely on are included.
  std::vector<unsigned> assumptions_of(const Uses& uses);

  /// An assumption that is a condition on parameters.
  unsigned add(const isl::set& condition, const std::string& text, const model::SourcePoint& where);

 private:
  struct Resolved {
    std::vector<unsigned> assumptions;  // at most one, today
    Uses relies_on;                     // requirements of the value and of when it is computed
  };
  const Resolved& resolve(unsigned requirement);
  Resolved prove(const Requirement& requirement);

  Evaluator& evaluator_;
  Symbols& symbols_;
  model::Kernel& kernel_;
  std::map<unsigned, Resolved> resolved_;
};

/// A set over parameters as a condition for people: "n >= 1 and m <= 7".
std::string condition_text(const isl::set& condition);

}  // namespace gridspan::analysis
