// gridspan replay --fuse: what could become of a recording's windows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device_facts.h"
#include "runtime/record/recorder.h"
#include "support/result.h"

#include <string>

namespace gridspan::runtime::record {

/// Writes each window, and each different forecast, to `recorder`. `facts`: of the device whose
/// caches chains are made for. Errors are one line, as the replay's.
support::Result<void> forecast_recording(const std::string& file, const devices::DeviceFacts& facts,
                                         Recorder& recorder);

}  // namespace gridspan::runtime::record
