// Whole files in and out, with errors a user can read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace gridspan::driver {

/// "-" is standard input.
support::Result<std::string> read_file(const std::string& path);

support::Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace gridspan::driver
