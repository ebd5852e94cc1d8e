// What the code for GPUs that was made of kernels and variables is called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/ptx_names.h"

#include <string>
#include <string_view>

namespace gridspan::devices::cuda {

using support::name_in_ptx;

/// Where the code has the address of a managed variable (codegen/ptx/managed_variables.h).
inline std::string managed_name(std::string_view variable) {
  return name_in_ptx(variable) + "$managed";
}

/// The clone of a kernel that runs a part of a grid.
inline std::string part_name(std::string_view kernel) { return name_in_ptx(kernel) + "$part"; }

/// And the one that also works on packed boxes.
inline std::string packed_name(std::string_view kernel) { return name_in_ptx(kernel) + "$packed"; }

inline bool is_part_name(std::string_view entry) { return entry.ends_with("$part"); }
inline bool is_packed_name(std::string_view entry) { return entry.ends_with("$packed"); }
inline bool is_clone_name(std::string_view entry) {
  return is_part_name(entry) || is_packed_name(entry);
}

}  // namespace gridspan::devices::cuda
