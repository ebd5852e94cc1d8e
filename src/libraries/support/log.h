// The log of a library: GRIDSPAN_LOG, as for the run time, whose log is its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/log.h"

namespace gridspan::libraries {

/// Reads GRIDSPAN_LOG, once. The run time reads all variables and says what is wrong with them.
void listen_to_log();

}  // namespace gridspan::libraries
