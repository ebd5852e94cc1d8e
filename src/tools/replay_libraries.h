// Where the kernels of a recording are now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"
#include "tools/recording.h"

#include <string>
#include <vector>

namespace gridspan::tools {

/// By module, the program or library that holds it. The program may be somewhere else now;
/// libraries are where they were. Libraries that the recorded program loaded from memory become
/// files in memory, which are there until this process ends. `file`: the recording's.
support::Result<std::vector<std::string>> kernel_files(const std::string& file,
                                                       const Recording& recording,
                                                       const std::string& program);

}  // namespace gridspan::tools
