// Options kept in files: @FILE, -optf FILE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::driver {

/// Replaces each @FILE and each `-optf FILE` (`--options-file=FILE`) by the words of that file,
/// quoted as for a shell. Files may name further files. A file that cannot be read is a user error.
support::Result<std::vector<std::string>> expand_response_files(
    const std::vector<std::string>& words);

}  // namespace gridspan::driver
