// May launches be one kernel, in which a thread does what the threads of its index did?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fusion/footprint.h"
#include "fusion/launch.h"
#include "model/prove.h"

#include <array>
#include <span>
#include <string>

namespace gridspan::fusion {

/// Why not, with file and line where they are known; empty: they may, if values of other numbers
/// point to memory of their own and all assumptions of the models hold. `one_thread`: axes along
/// which blocks have one thread. O(launches^2) pairs.
std::string why_not_fusible(std::span<const Launch> launches, const std::array<bool, 3>& one_thread,
                            model::ProofLimits limits = {}, Examples examples = Examples::find);

}  // namespace gridspan::fusion
