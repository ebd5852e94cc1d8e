// Cuts along two axes at once, where that moves less.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a cut across an axis costs each time is known from the plan that cuts along that axis alone.
// n slabs have n - 1 cuts; in g groups of n/g there are (g - 1) + (n/g - 1). The best g follows
// from what the cuts across the two axes cost; only that crossing is tried.
#pragma once

#include "runtime/plan/bound_launch.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/machine.h"

#include <optional>
#include <span>

namespace gridspan::runtime {

/// The plan that cuts along two axes, if it is likely to move less each time than all of `ways`,
/// which are those of the launch along one axis, or if nobody cares (`always`); none if parts would
/// change the same places.
std::optional<LaunchPlan> cross_cut(const BoundLaunch& launch, const abi::Dim& grid,
                                    const Machine& machine, std::span<const LaunchPlan> ways,
                                    bool always = false);

}  // namespace gridspan::runtime
