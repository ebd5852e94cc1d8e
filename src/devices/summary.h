// Several devices described as the one that programs see.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <span>

namespace gridspan::devices {

/// The facts of a device that has all of these devices' workers and memory. What can't be added
/// (clocks, shared memory of a block) is what every one of them has. One device is itself.
DeviceFacts summarise(std::span<const DeviceFacts> devices);

}  // namespace gridspan::devices
