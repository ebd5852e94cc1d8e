// Products that are made dense: do intervals of them touch what their multiples touch?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product z = P*d takes multiples of P only, yet an image lets it take every value in between: it
// is *dense*. That is harmless when what lies between two multiples is what they themselves touch:
//
//     B(z)  ⊆  B(m) ∪ B(m + P)     for all m < z < m + P,    B(z) = what is touched at this z
//
// Example: B(z) = [z, z + P - 1], thread indices added. Counterexample: B(z) = {z}, every P-th
// element. The inclusion is asked of isl for all m that the product may reach, not only multiples:
// more than is needed, but affine. Several products are made dense one after the other: each
// inclusion holds for whatever the later ones are.
#pragma once

#include "model/instances.h"

namespace gridspan::model {

/// The gaps between multiples of one product; other dimensions `kept` stay fixed.
class Gaps {
 public:
  /// `product` must have a step (model/factors.h).
  Gaps(const Kernel& kernel, Instances& instances, const Dimension& product,
       std::vector<std::string> kept);

  /// Of what `here` touches, as a function of the product: what a gap touches, and what the two
  /// multiples beside it touch.
  isl::set inside(const isl::set& here) const;
  isl::set beside(const isl::set& here) const;

 private:
  isl::set without_above(const isl::set& set) const;

  const Dimension& product_;
  std::string below_, above_, step_;
  isl::set between_;  // what holds of the product in a gap
};

/// Whether an interval of `product` touches what its multiples of the step touch. `touched` is all
/// that an instance does, `here` the same with all dimensions but `kept` projected out.
bool is_dense(const Kernel& kernel, Instances& instances, const isl::set& touched,
              const isl::set& here, const std::string& product,
              const std::vector<std::string>& kept);

}  // namespace gridspan::model
