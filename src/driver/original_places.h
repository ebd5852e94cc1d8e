// Clang's messages about text that gridcc has changed, in terms of what the user wrote.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/overlay.h"

#include <string>
#include <string_view>

namespace gridspan::driver {

/// Where a column, from 1, of `seen` is in `written`; both are one line. What was put in is where
/// it was put in.
unsigned original_column(std::string_view seen, std::string_view written, unsigned column);

/// `messages` with columns and excerpts of the lines as they are on disk. Changes never move lines.
std::string in_original_places(std::string_view messages, const Overlay& overlay);

}  // namespace gridspan::driver
