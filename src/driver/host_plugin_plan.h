// Planning what our plug-in does in clang's host pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/planner.h"

namespace gridspan::driver {

/// Where the host pass leaves the shapes of blocks in a source's launches, for the device compiler;
/// empty: it need not.
std::string launch_shapes_file(const Planner& planner, const std::string& stem);

/// What clang is told to load the plug-in (src/host_plugin), and to leave them in `shapes` unless
/// that is empty.
std::vector<std::string> host_plugin_words(const Planner& planner, const std::string& shapes);

}  // namespace gridspan::driver
