// Measures a machine once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/measure/measured.h"
#include "support/options.h"

#include <memory>
#include <span>

namespace gridspan::devices {

/// How fast the devices and the links between them are: remembered, or else measured and then
/// remembered for later processes. Nothing is known of a single device, or where all are CPUs:
/// these are taken to be alike, and no time is spent on them. Before anything else uses the
/// devices.
Measured measure(std::span<const std::unique_ptr<Device>> devices, support::Measure mode);

}  // namespace gridspan::devices
