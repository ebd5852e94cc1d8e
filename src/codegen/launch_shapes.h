// What the host pass saw of a source's launches (src/host_plugin).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/known_shape.h"

#include <string>
#include <vector>

namespace gridspan::codegen {

/// The shapes of blocks that `kernel` (mangled) is launched with, in the order of the launches, as
/// far as they are constant. None if `file` is missing or damaged: they are worth nothing but
/// speed.
std::vector<transforms::BlockShape> launch_shapes(const std::string& file,
                                                  const std::string& kernel);

}  // namespace gridspan::codegen
