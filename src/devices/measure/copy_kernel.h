// A kernel that copies, for devices whose own copies are made by one thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <cstddef>

namespace gridspan::devices {

/// Copies `bytes` with all threads of a device on a CPU.
RunResult run_copy(Device& device, char* to, const char* from, std::size_t bytes);

}  // namespace gridspan::devices
