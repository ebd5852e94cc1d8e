// The rung `reduction`: who updates an element itself, and who a private copy of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the parts that update an element the first one, in the order of devices, updates the element
// itself. The others' devices hold a private copy of it, which starts as the operation's identity;
// after the parts the private copies are combined into the element, again in the order of devices.
// So the result does not depend on timing, and no device but the first has the element's value
// afterwards.
#pragma once

#include "runtime/plan/attempt.h"
#include "runtime/plan/launch_plan.h"

#include <optional>
#include <string>

namespace gridspan::runtime {

/// Both are atomic updates by one operation of one width, which can be combined.
bool updates_alike(const SetUse& a, const SetUse& b);

/// Prepares the uses that are `reduced`. Text: why there can't be private copies.
std::optional<std::string> settle_reductions(Attempt& attempt);

/// Gives the parts of the plan what follows from the attempt's reduced uses.
void share_reductions(const Attempt& attempt, LaunchPlan& plan);

}  // namespace gridspan::runtime
