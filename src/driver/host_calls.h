// Calls from one side's code to the other's, told in one line as nvcc does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang says that no candidate of an overload set is viable and lists them all: for `std::cout <<
// x` in a kernel that is forty lines, and the reason is said forty times. nvcc says
//
//     a.cu(3): error: calling a __host__ function("f") from a __global__ function("k") is not
//     allowed
//
#pragma once

#include <string>
#include <string_view>

namespace gridspan::driver {

/// Clang's messages, with those replaced that are about such a call or about a host variable in
/// device code. Of several that are about one line, as each `<<` after `std::cout` is, the first is
/// left.
std::string tell_host_calls(std::string_view messages);

}  // namespace gridspan::driver
