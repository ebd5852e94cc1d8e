// The least and the greatest value of a name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/isl.h"

#include <string>

namespace gridspan::codegen {

/// Null where there is no end.
struct Extremes {
  model::OrNull<isl::pw_aff> least, greatest;
};

/// Over the points of `set`, in terms of its other parameters; defined where there are any points.
Extremes extremes_of(const isl::set& set, const std::string& parameter);

}  // namespace gridspan::codegen
