// The commands and calls of a recording in one order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/record/windows.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::runtime::record {

/// Reads the file twice. Errors are one line, as the reader's.
support::Result<std::vector<Happening>> happenings_of(const std::string& file);

}  // namespace gridspan::runtime::record
