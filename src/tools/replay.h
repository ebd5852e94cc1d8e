// Showing recordings, and doing again what they say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>

namespace gridspan::tools {

struct ReplayRequest {
  std::string file = "gridspan.record";
  enum class Show { nothing, text, json } show = Show::nothing;  // instead of a replay
  bool run = false;     // kernels too; else launches are planned only
  bool fuse = false;    // instead: which launches could be fused; with Show::json as JSON
  std::string devices;  // GRIDSPAN_DEVICES; empty: as recorded
  std::string program;  // empty: the recorded path
  std::string keep;     // write the replay's own recording here; empty: nowhere
};

/// Writes to standard output. The exit status: 0, or 1 if the replay differs from the recording
/// where it must not. Errors are one line.
support::Result<int> replay(const ReplayRequest& request);

}  // namespace gridspan::tools
