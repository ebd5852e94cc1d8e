// Kernels and the shapes of blocks they are launched with, in a module of host code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::host_plugin {

struct LaunchShape {
  std::string kernel;  // as its device code is named
  std::array<std::uint32_t, 3> block;
  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

/// Each once, in the order of the launches. `module` is as clang made it, not yet optimised.
std::vector<LaunchShape> find_launch_shapes(const llvm::Module& module);

}  // namespace gridspan::host_plugin
