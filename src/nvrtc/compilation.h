// One run of gridcc over one program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nvrtc/program.h"
#include "support/result.h"

#include <vector>

namespace gridspan::nvrtc {

enum class Outcome { compiled, unknown_option, errors, no_compiler };

/// Compiles `program` and fills in its log, module and lowered names. The log says what was wrong.
Outcome compile(_nvrtcProgram& program, int count, const char* const* options);

/// Numbers of the architectures gridcc knows: 50, 52, …
support::Result<std::vector<int>> architectures();

}  // namespace gridspan::nvrtc
