// Launches to learn from how something depends on their numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/sample_launch.h"

namespace gridspan::model {

/// A parameter, or a product of two, and the launch in which it is changed.
struct Term {
  std::string name;        // of the parameter; of the product
  std::string factors[2];  // of a product
  bool is_product() const { return !factors[0].empty(); }
};

/// Launches: the first, one for each term, and others.
struct Experiment {
  std::vector<Term> terms;
  std::vector<Values> launches;
  std::size_t first_check() const { return 1 + terms.size(); }
};

/// A launch for each choice that programs have, and for two that are multiplied, and some more to
/// check: none where the kernel does not allow for them.
Experiment experiment(const Kernel& kernel, const SampleLaunches& samples);

}  // namespace gridspan::model
