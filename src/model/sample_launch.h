// One launch of a kernel with plausible numbers, to compare what cannot be compared in symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <map>

namespace gridspan::model {

using Values = std::map<std::string, long>;

/// Values of all parameters: 64 blocks of 16 threads along each axis in use, integer arguments 1024
/// (as many as threads), as far as the kernel's context allows; products and expressions computed.
Values sample_launch(const Kernel& kernel);

/// `launch` with `name` (no product or expression) changed by `change`, and what depends on it.
Values changed(const Kernel& kernel, Values launch, const std::string& name, long change);

/// A product dimension's value when its root is `root`.
long product_value(const Kernel& kernel, const std::string& dimension, long root,
                   const Values& launch);

/// { : name = value and ... }
isl::set fixed(isl::ctx context, const Values& values);

/// `set` where its parameters have these values, without parameters.
isl::set with_values(const isl::set& set, const Values& values);

}  // namespace gridspan::model
