// Mangled names as the user wrote them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace gridspan::support {

/// "k(int*)" of "_Z1kPi"; "k(int*) + g()" of "_Z1kPi+_Z1gv", kernels as one (fused_launches.h); the
/// name itself if it is not mangled. The suffix below and
/// the number that a device link gives private names (".3") are left out.
std::string readable_name(std::string_view mangled);

/// With -rdc=true clang gives static kernels and variables that host code names a suffix that is
/// unique in the program: "_ZL1v__static__0123456789abcdef". The name without it.
std::string_view without_unit_suffix(std::string_view mangled);

}  // namespace gridspan::support
