// An attempt that is allowed becomes a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/attempt.h"
#include "runtime/plan/launch_plan.h"

namespace gridspan::runtime {

/// The plan of an attempt whose conflicts are settled (conflicts.h).
LaunchPlan make_plan(const Attempt& attempt);

}  // namespace gridspan::runtime
