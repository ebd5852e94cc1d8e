// Where the compiler is that the run time starts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>

namespace gridspan::support {

/// The gridcc that belongs to the library which holds `address`: PREFIX/lib/… → PREFIX/bin/gridcc.
Result<std::string> own_gridcc(const void* address);

/// $GRIDSPAN_GRIDCC; else PREFIX/bin/gridcc of the PREFIX/lib/… that holds `address`, an address of
/// the calling library; else gridcc in PATH. Fails with a line that says where it was looked for.
Result<std::string> find_gridcc(const void* address);

}  // namespace gridspan::support
