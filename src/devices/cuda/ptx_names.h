// What kernels and variables are called in PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace gridspan::devices::cuda {

/// Device links tell static names of several files apart by dots, which PTX does not have
/// (codegen/ptx/prepare.cpp).
inline std::string name_in_ptx(std::string_view name) {
  std::string made;
  for (const char letter : name) made += letter == '.' ? "_$_" : std::string(1, letter);
  return made;
}

/// Where the code has the address of a managed variable (codegen/ptx/managed_variables.h).
inline std::string managed_name(std::string_view variable) {
  return name_in_ptx(variable) + "$managed";
}

/// The clone of a kernel that runs a part of a grid.
inline std::string part_name(std::string_view kernel) { return name_in_ptx(kernel) + "$part"; }

/// And the one that also works on packed boxes.
inline std::string packed_name(std::string_view kernel) { return name_in_ptx(kernel) + "$packed"; }

}  // namespace gridspan::devices::cuda
