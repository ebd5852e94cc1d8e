// NVIDIA's assembler, where a machine has one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace gridspan::driver {

/// What --ptxas names ("none": nothing), else ptxas in PATH, in `bin` of $CUDA_HOME or $CUDA_PATH,
/// or where NVIDIA installs it. Empty: there is none, which is no error.
std::string find_assembler(const std::string& named);

}  // namespace gridspan::driver
