// The recorded program's memory, at the addresses it had.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>

namespace gridspan::runtime::record {

/// Maps all memory that the recording speaks of, for good. Pointers that the program stored in
/// memory stay right that way. Linux lays processes out at random, so that what was free then is
/// free now; the error says where it is not.
support::Result<void> map_recorded_memory(const std::string& file);

}  // namespace gridspan::runtime::record
