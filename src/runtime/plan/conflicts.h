// What parts of a launch do to each other, and what can be done about it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/attempt.h"

#include <optional>
#include <string>

namespace gridspan::runtime {

/// Marks the uses that several parts share as merged or reduced. Text: why the parts may not run on
/// different devices. `obstacles`: bits of ModelObstacle; `injective`: no two blocks of different
/// parts write one element.
std::optional<std::string> settle_conflicts(Attempt& attempt, std::uint32_t obstacles,
                                            bool injective);

}  // namespace gridspan::runtime
