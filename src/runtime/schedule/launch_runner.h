// Who runs a launch, where that is not simply the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

namespace gridspan::runtime {

class LaunchRunner {
 public:
  virtual ~LaunchRunner() = default;
  /// As devices::Device::run_part; called by one thread at a time.
  virtual devices::RunResult run(const abi::Kernel& kernel, const abi::LaunchContext& launch) = 0;
};

}  // namespace gridspan::runtime
