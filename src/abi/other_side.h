// The names of functions that are called on the side that has no code of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our plug-in of clang's front end gives such functions names; whoever compiles the calls knows
// them by it (clang_plugin/other_side_calls.h).
#pragma once

#include <string_view>

namespace gridspan::abi {

/// What follows is for people: "f (a.cu:12)".
inline constexpr std::string_view other_side_prefix = "gridspan.other_side.";

/// Sections of declarations that stand for functions of the other side
/// (clang_plugin/borrowed_functions.h). The host gets a function that ends the program, the device
/// one that does nothing. `of_this_file` follows where other files may have functions of that name.
inline constexpr std::string_view device_function_section = "gridspan.device_function",
                                  borrowed_section = "gridspan.borrowed",
                                  of_this_file = ".of_this_file";

/// Of a destructor that is the host's only, in device code, and of one that nobody wrote
/// (clang_plugin/host_destructors.h).
inline constexpr std::string_view host_destructor_section = "gridspan.host_destructor",
                                  unwritten_section = "gridspan.unwritten";

}  // namespace gridspan::abi
