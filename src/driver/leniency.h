// Where clang is stricter than nvcc: warnings that are errors by default.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace gridspan::driver {

/// Flags with which clang only warns of what nvcc takes. Of groups that hold things which nvcc
/// refuses, too, the plug-in picks those it takes (clang_plugin/leniency.h).
std::vector<std::string> lenient_flags();

}  // namespace gridspan::driver
