// Is a value within a range over all points of a domain? As code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/launch_values.h"

namespace gridspan::codegen {

/// i1: every value of `assumption` (in_range) lies in its range, as far as interval arithmetic in
/// double can tell: rounding errors make it false. Each dimension ranges over the interval isl
/// finds for it, a product dimension over the product of the intervals of its factor and its base.
/// Throws Unwritable where nothing bounds a dimension or datum.
llvm::Value* range_check(llvm::IRBuilder<>& builder, LaunchValues& values,
                         const model::Kernel& kernel, const model::Assumption& assumption);

/// Launches at which some value is out of range, exactly as far as the linear facts go.
isl::set launches_out_of_range(const model::Kernel& kernel, const model::Assumption& assumption);

}  // namespace gridspan::codegen
