// What the host pass saw of how a source's launches follow one another (src/host_plugin).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace gridspan::codegen {

/// The text in `file` (support/launch_sequences.h), for a container. Empty if there is no such
/// file, nothing is launched, or it is damaged.
std::string launch_sequences(const std::string& file);

}  // namespace gridspan::codegen
