// Registers of PTX with a single percent sign, as nvcc takes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gridspan::driver {

/// Whether the text names a special register with one percent sign, `%laneid`, not `%%laneid`, or
/// declares a register so: `.reg .pred %p;`.
bool may_have_single_percent(std::string_view source);

/// The word `asm` ends at `at`. In the strings of a statement with operands, makes `%laneid`
/// `%%laneid`, as GNU's syntax wants it, and so for registers that the statement declares; without
/// operands percent signs mean themselves. Returns whether anything changed.
bool double_percents(std::string& text, std::size_t at);

}  // namespace gridspan::driver
