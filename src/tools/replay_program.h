// Starts the recorded program so that it replays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"
#include "tools/recording.h"
#include "tools/replay.h"

#include <string>

namespace gridspan::tools {

/// Has the program of `recording` replay the request's file and record that in `into`. What goes
/// wrong inside it is told there; the error is one line.
support::Result<void> run_replay(const ReplayRequest& request, const Recording& recording,
                                 const std::string& into);

}  // namespace gridspan::tools
