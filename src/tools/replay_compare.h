// A recording and its replay, side by side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/recording.h"

#include <string>

namespace gridspan::tools {

/// Launches by rung and bytes moved of both, in columns.
std::string totals_text(const Recording& recorded, const Recording& replayed);

/// Whether launches were planned alike; which was the first that was not.
std::string plans_text(const Recording& recorded, const Recording& replayed);

/// What came to the host in the replay.
struct Outcome {
  bool is_same = true;
  std::string text;  // one or more lines
};
Outcome compare_results(const Recording& recorded, const Recording& replayed);

}  // namespace gridspan::tools
