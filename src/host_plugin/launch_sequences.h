// How launches of a source follow one another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

#include <string>

namespace gridspan::host_plugin {

/// The text that support/launch_sequences.h describes; empty if nothing is launched. `module` is as
/// clang made it, not yet optimised. What it says is proved, but for what a program does after a
/// call of CUDA's has failed.
std::string launch_sequences(const llvm::Module& module);

}  // namespace gridspan::host_plugin
