// The number that the linker gave a program or library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace gridspan::support {

/// In hexadecimal, of the loaded file that the address is in; empty if it has none. Two builds
/// differ in it, whatever their files' names and times are.
std::string build_id(const void* address);

}  // namespace gridspan::support
