// When a launch that is done again and again should be cut in another way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way that moves least when a launch is first met need not move least when it is repeated: the
// host's data lies in slabs, and what lies in slabs is cut into slabs most cheaply. To change over
// costs more than it saves in one launch, and nobody knows how many will follow. So a launch
// changes over when what it moved in excess has added up to what the change costs: whatever
// follows, it has moved no more than about twice the least (renting skis until one could have
// bought them).
//
// In the same way a launch of little work is kept on one device once its data has been gathered
// there.
#pragma once

#include "runtime/plan/launch_plan.h"
#include "runtime/plan/machine.h"

namespace gridspan::runtime {

/// Sets `recipe.next` and `recipe.turns` if another of the ways costs less each time than the
/// recipe, which is about to be done again. `idle_counts`: ways that leave devices idle, or have
/// more to begin, cost that. `may_gather`: nobody else wants little work's data where it is.
void look_ahead(const LaunchPlans& plans, Recipe& recipe, const Machine& machine, bool idle_counts,
                bool may_gather);

}  // namespace gridspan::runtime
