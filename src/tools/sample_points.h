// isl values at given parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/isl.h"

#include <map>
#include <optional>
#include <string>

namespace gridspan::tools {

using Values = std::map<std::string, long>;

/// The set with every parameter named in `values` fixed.
isl::set fix(isl::set set, const Values& values);

/// Nothing if the value is undefined there, or not known.
std::optional<long> value_of(const isl::pw_aff& value, const Values& values);

/// Whether the condition can hold.
bool holds(const isl::set& condition, const Values& values);

}  // namespace gridspan::tools
