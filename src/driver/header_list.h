// The headers a CUDA source reads, and which of them need respelling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

/// The prerequisites of a make rule as `clang -M` prints it, unquoted.
std::vector<std::string> prerequisites(std::string_view rule);

/// Adds to the unit's overlay every file that one of its passes includes and that spells launches
/// `<< <…>> >`, or what else Overlay respells. Costs a run of the preprocessor for each pass. False
/// if there is none, or the preprocessor fails.
bool add_spaced_headers(CudaUnit& unit);

}  // namespace gridspan::driver
