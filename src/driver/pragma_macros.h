// Macros that stand for a `#pragma` line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gridspan::driver {

/// nvcc preprocesses to text and reads that again, so that a macro may expand to a directive:
///
///     #define UNROLL #pragma unroll         →     #define UNROLL _Pragma("unroll")
///     UNROLL
///     for (…)
///
/// Lines keep their number. Nothing if there is no such macro.
std::optional<std::string> respell_pragma_macros(std::string_view source);

}  // namespace gridspan::driver
