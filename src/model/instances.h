// Accesses in the form that proofs work with, made once for each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <map>

namespace gridspan::model {

/// What one instance of an access touches.
struct Instance {
  /// { A[...] }, dimensions as parameters, without what `dimension_facts` says of them anyway.
  isl::set touched;
  std::vector<std::string> involved;  // dimensions that occur in `touched`
  unsigned shape = 0;                 // instances with the same number touch the same
};

/// The instances of a kernel's bounded accesses. Accesses must stay where they are.
class Instances {
 public:
  explicit Instances(const Kernel& kernel) : kernel_(kernel) {}
  const Instance& of(const Access& access);

  /// instance_facts (model/facts.h) and part_facts (model/part_bounds.h), remembered.
  const isl::set& facts(const std::vector<std::string>& dimensions);
  const isl::set& part_facts(const std::vector<std::string>& dimensions);

 private:
  const Kernel& kernel_;
  std::map<const Access*, Instance> made_;
  std::map<std::vector<std::string>, isl::set> facts_, part_facts_;
};

}  // namespace gridspan::model
