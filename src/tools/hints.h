// What a programmer can change so that a kernel can be split.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <string>

namespace gridspan::tools {

std::string hint_for(model::Obstacle obstacle);

/// For an access that is not exact.
std::string hint_for(const model::Access& access, const model::Array& array);

/// For an axis that can never be split.
std::string hint_for_axis(const model::Kernel& kernel, int axis);

/// For a block that reads what another writes.
std::string hint_for_race();

}  // namespace gridspan::tools
