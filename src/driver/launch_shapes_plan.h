// Planning how the device compiler learns the shapes of blocks in a source's launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/planner.h"

namespace gridspan::driver {

/// Where the host pass leaves them; empty: it need not.
std::string launch_shapes_file(const Planner& planner, const std::string& stem);

/// What clang is told for that (src/launch_shapes).
std::vector<std::string> launch_shapes_words(const Planner& planner, const std::string& stem);

}  // namespace gridspan::driver
