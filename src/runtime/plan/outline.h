// Few boxes that hold many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/box.h"

#include <span>
#include <vector>

namespace gridspan::runtime {

/// The smallest box that holds all of `boxes`, which have one rank; empty if there are none.
regions::Box hull_of(std::span<const regions::Box> boxes);

/// `boxes`, or their hull where they are many: for logs, which need not be exact.
std::vector<regions::Box> outline(std::span<const regions::Box> boxes);

}  // namespace gridspan::runtime
