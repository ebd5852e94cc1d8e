// Tries the ways to split a launch, best first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/bound_launch.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/machine.h"

#include <vector>

namespace gridspan::runtime {

/// The ways to run the launch on at most `machine.devices()` devices, the suggested one first; at
/// least one. Which is best depends on what lies where. One part on device 0, and why, if the
/// launch must stay together. Legality is that of the whole launch: concrete boxes of all arrays
/// that lie in one buffer are compared, whichever argument they came by.
///
/// `leaves_out`: if some devices are much slower than others, there are also ways without them,
/// which come first: where these move no more they are better. Where the launch is little work
/// there is a way to keep it whole.
std::vector<LaunchPlan> split(const BoundLaunch& launch, const abi::Dim& grid,
                              const Machine& machine, bool leaves_out);

}  // namespace gridspan::runtime
