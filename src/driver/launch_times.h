// Running a command whose programs tell how long their kernels took.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/tune_search.h"

namespace gridspan::driver {

struct TimedRun {
  std::string cpu;    // whose code ran: abi::cpu_name, "" for baseline
  LaunchTimes times;  // by "kernel module"
};

/// Runs it with /bin/sh; `folder`, which is emptied before, is for what it writes. Its output is
/// not shown, but the end of it is part of the error if it fails.
support::Result<TimedRun> run_timed(const std::string& command, const std::string& folder);

}  // namespace gridspan::driver
