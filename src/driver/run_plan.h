// Running a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/invocation.h"
#include "driver/plan.h"

namespace gridspan::driver {

/// Runs every unit, then the last steps if all units succeeded. Returns gridcc's exit status: 0, 1,
/// or with -run that of the program.
int run_plan(Plan plan, const Invocation& invocation);
}  // namespace gridspan::driver
