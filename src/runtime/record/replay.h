// Doing what a recording says, in the program that made it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gridspan replay starts the recorded program with GRIDSPAN_REPLAY set. The program's constructors
// register its kernels; once those of the recording are there, the replay takes over and ends the
// process: main is not reached. What the replay does is recorded in its turn (GRIDSPAN_RECORD), and
// gridspan replay compares the two recordings.
#pragma once

#include "support/options.h"

namespace gridspan::runtime::record {

/// A module was registered. Replays, and does not return, if that was asked for and all kernels are
/// there now.
void replay_if_ready();

/// Replays with what is there.
[[noreturn]] void replay(const support::Options& options);

}  // namespace gridspan::runtime::record
