// Respelling of four things nvcc takes and clang does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gridspan::driver {

/// Returns `source` with each launch `<< <…>> >` respelled `<<< …>>> `, every line and column as
/// before, and `__shared__ alignas(16)` as `__shared__ _Alignas(16)` (clang wants C++'s alignas in
/// front of every attribute), and `<<<{2, 1}, {33}>>>` as `<<<dim3{2, 1}, dim3{33}>>>`, and a
/// special register `%laneid` in an `asm` statement with operands as `%%laneid`; nothing if there
/// is none of these. Comments, string and character literals are left alone, and so are `operator<<
/// <T>` and the `>> >` that closes template arguments outside a launch. Linear in the size of the
/// source; a plain search when it contains no `<< <`.
std::optional<std::string> respell_launches(std::string_view source);

}  // namespace gridspan::driver
