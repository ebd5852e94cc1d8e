// gridspan devices: what CUDA programs find on this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>

namespace gridspan::tools {

/// The devices as the run time presents them under the current GRIDSPAN_* variables.
support::Result<std::string> describe_devices();

}  // namespace gridspan::tools
