// Which memory the host reaches: the one place that asks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <memory>
#include <span>

namespace gridspan::runtime {

using DeviceList = std::span<const std::unique_ptr<devices::Device>>;

/// The host reads and writes the device's memory as its own; else only the device does.
bool is_in_hosts_reach(const devices::Device& device);

/// Makes host memory such that all devices reach it; null: all memory is in everybody's reach.
devices::HostMemory* pinning_memory(DeviceList devices);

/// Who makes a copy between two devices: the one that gets it, unless it can't read the other's
/// memory.
devices::Device& mover(devices::Device& to, devices::Device& from);

/// Atomic updates of one place, made by different devices, meet in one memory: the host's, or a
/// GPU's own.
bool updates_meet(DeviceList devices);

}  // namespace gridspan::runtime
