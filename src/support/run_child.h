// Starting a program, such as gridcc, and waiting for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::support {

/// Runs a program without standard input; what it says on both outputs goes into the file `said`.
/// True if it succeeded; the error says why it could not be started.
Result<bool> run_child(const std::vector<std::string>& command, const std::string& said);

}  // namespace gridspan::support
