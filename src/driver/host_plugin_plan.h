// Planning what our plug-in does in clang's host pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/planner.h"

namespace gridspan::driver {

/// Where the host pass leaves the shapes of blocks in a source's launches, for the device compiler;
/// empty: it need not.
std::string launch_shapes_file(const Planner& planner, const std::string& stem);

/// The same for how its launches follow one another.
std::string launch_sequences_file(const Planner& planner, const std::string& stem);

/// What the host pass leaves; empty: it does not.
struct HostFindings {
  std::string shapes, sequences;
};

/// What clang is told to load the plug-in (src/host_plugin), and to leave its findings.
std::vector<std::string> host_plugin_words(const Planner& planner, const HostFindings& files);

}  // namespace gridspan::driver
