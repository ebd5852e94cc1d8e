// What this machine's processor is, as Linux tells it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

namespace gridspan::devices::cpu {

/// Cores this process may run on (affinity mask), at least 1.
unsigned usable_threads();

/// Zero stands for what the machine does not tell.
DeviceFacts read_device_facts(unsigned workers);

}  // namespace gridspan::devices::cpu
