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

}  // namespace gridspan::abi
