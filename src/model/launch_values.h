// Numbers for a kernel's parameters, and what becomes of sets with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <map>

namespace gridspan::model {

using Values = std::map<std::string, long>;

/// Products and expressions computed from the others, which must be there.
bool is_derived(const Parameter& parameter);
long derived_value(const Kernel& kernel, const Parameter& parameter, const Values& values);
Values with_derived(const Kernel& kernel, Values values);

/// A product dimension's value when its root is `root`.
long product_value(const Kernel& kernel, const std::string& dimension, long root,
                   const Values& values);

/// `values` with what an image says of a part: the blocks from `first` to `last`, which have a
/// number for each axis.
Values with_part(const Kernel& kernel, Values values, const long (&first)[3],
                 const long (&last)[3]);

/// { : name = value and ... }
isl::set fixed(isl::ctx context, const Values& values);

/// `set` where its parameters have these values, without parameters.
isl::set with_values(const isl::set& set, const Values& values);

}  // namespace gridspan::model
