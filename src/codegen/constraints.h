// The constraints of a convex set, one by one, and the quotients in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/isl.h"

#include <memory>
#include <vector>

namespace gridspan::codegen {

struct FreeConstraint {
  void operator()(isl_constraint* constraint) const { isl_constraint_free(constraint); }
};
using Constraint = std::unique_ptr<isl_constraint, FreeConstraint>;

inline std::vector<Constraint> constraints_of(const isl::basic_set& set) {
  std::vector<Constraint> constraints;
  isl_constraint_list* list = isl_basic_set_get_constraint_list(set.get());
  if (!list) isl::exception::throw_last_error(set.ctx());
  for (int i = 0; i < isl_constraint_list_n_constraint(list); ++i)
    constraints.emplace_back(isl_constraint_list_get_constraint(list, i));
  isl_constraint_list_free(list);
  return constraints;
}

/// The set with an expression for each quotient: isl keeps some as integers that only exist, and
/// then tells of none in that piece.
inline isl::set with_known_quotients(const isl::set& set) {
  isl_set* raw = isl_set_compute_divs(set.copy());
  if (!raw) isl::exception::throw_last_error(set.ctx());
  return isl::manage(raw);
}

}  // namespace gridspan::codegen
