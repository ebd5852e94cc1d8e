// Programs whose launches never repeat, as the planner sees them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace bench {

/// Prints what planning a launch of each costs on so many devices, at the beginning and after 10
/// 000 steps: a line each. Of one whose name is given only that.
void report_sequences(unsigned devices, const std::string& only = {});

}  // namespace bench
