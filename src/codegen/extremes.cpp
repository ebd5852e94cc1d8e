// Ends of a parameter's range.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/extremes.h"

#include "codegen/isl_code.h"

namespace gridspan::codegen {

Extremes extremes_of(const isl::set& set, const std::string& parameter) {
  const isl::set values = model::parameters_to_dimensions(set, {parameter});
  Extremes result;
  if (isl_set_dim_has_lower_bound(values.get(), isl_dim_set, 0) == isl_bool_true)
    result.least = checked(set.ctx(), isl_set_dim_min(values.copy(), 0)).coalesce();
  if (isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) == isl_bool_true)
    result.greatest = checked(set.ctx(), isl_set_dim_max(values.copy(), 0)).coalesce();
  return result;
}

}  // namespace gridspan::codegen
