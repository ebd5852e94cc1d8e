// What kernels and variables are called in PTX, whose names have neither dots nor plus signs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace gridspan::support {

/// Device links tell static names of several files apart by dots; kernels made of several have
/// their names, joined by plus signs.
inline std::string name_in_ptx(std::string_view name) {
  std::string made;
  for (const char letter : name)
    made += letter == '.' ? "_$_" : letter == '+' ? "$_$" : std::string(1, letter);
  return made;
}

}  // namespace gridspan::support
