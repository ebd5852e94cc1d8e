// Where clang is stricter than nvcc: warnings that are errors by default.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

/// Flags with which clang only warns of what nvcc takes.
std::vector<std::string> lenient_flags();

/// These flags go by groups of warnings, some of which hold things that nvcc refuses, too: turns
/// such warnings into errors. `refused` becomes true if there are any.
std::string with_refusals(std::string_view clang_output, bool& refused);

}  // namespace gridspan::driver
