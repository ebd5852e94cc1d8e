// Models made by hand, which together use every field.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/text.h"

namespace gridspan::model {

/// A kernel in which no field is left at its default.
Kernel every_field(isl::ctx context);

/// A kernel of which nothing is known but its name.
Kernel nothing_known();

}  // namespace gridspan::model
