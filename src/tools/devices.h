// gridspan devices: what CUDA programs find on this machine, and what is behind it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>

namespace gridspan::tools {

struct DevicesRequest {
  std::string setting;  // instead of GRIDSPAN_DEVICES, unless empty
  bool json = false;
};

/// The device as the run time presents it under the current GRIDSPAN_* variables, and the devices
/// it is made of.
support::Result<std::string> describe_devices(const DevicesRequest& request);

}  // namespace gridspan::tools
