// Copies with a watch in hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/measure/measured.h"

namespace gridspan::devices {

/// Bytes that a device reads and writes in a second of its own memory, all its threads together.
support::Result<double> probe_memory(Device& device);

/// From one device's memory to that of another.
support::Result<Link> probe_link(Device& from, Device& to);

}  // namespace gridspan::devices
