// What sets speak of: the numbers beside a parameter, the launch's numbers it is made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <set>

namespace gridspan::model {

/// The numbers that constraints on a parameter multiply it with or compare it to, without signs.
std::set<long> numbers_beside(const isl::set& set, const std::string& name, long most);

/// The arguments, grid and block extents that the parameters of a part's image are made of.
std::set<std::string> sources_of(const Kernel& kernel, const isl::set& image);
std::set<std::string> sources_of(const Kernel& kernel, const isl::pw_aff& value);
/// Of one parameter.
std::set<std::string> sources_of(const Kernel& kernel, const std::string& parameter);

/// Has the kernel's code a block or thread index of this axis?
bool uses_axis(const Kernel& kernel, unsigned axis);

/// Of the axes.
inline constexpr char axis_letters[] = "xyz";
/// "gridDim_x", "blockDim_x".
std::string grid_dim(unsigned axis);
std::string block_dim(unsigned axis);

}  // namespace gridspan::model
