// Respelling of kernel launches that clang's lexer does not know.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gridspan::driver {

/// Returns `source` with each launch `<< <…>> >` respelled `<<< …>>> `, every line and column as
/// before; nothing if there is none. Comments, string and character literals are left alone, and so
/// are `operator<< <T>` and the `>> >` that closes template arguments outside a launch. Linear in
/// the size of the source; a plain search when it contains no `<< <`.
std::optional<std::string> respell_launches(std::string_view source);

}  // namespace gridspan::driver
