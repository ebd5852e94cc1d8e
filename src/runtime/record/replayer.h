// Feeds the commands of a recording to devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/options.h"
#include "support/result.h"

namespace gridspan::runtime::record {

/// Does what the recording `options.replay` says on the devices of `options`, and records that as
/// `options.record` says. With Mode::plan, launches and copies are planned but no memory is
/// touched.
support::Result<void> replay_recording(const support::Options& options);

}  // namespace gridspan::runtime::record
