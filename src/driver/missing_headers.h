// What to do about a header that is not there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace gridspan::driver {

/// A note for clang's message "… 'NAME' file not found", as a line with its end; empty if nothing
/// is known about NAME.
std::string missing_header_note(std::string_view message);

}  // namespace gridspan::driver
