// Devices of every kind, and of every kind with a decorator, for tests of what all of them do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <memory>
#include <ostream>
#include <span>
#include <vector>

namespace gridspan::test {

using Devices = std::vector<std::unique_ptr<devices::Device>>;

/// One row of the table: what a test's name calls it, and how two of its devices are made.
struct EveryDevice {
  const char* name;
  const char* setting;  // GRIDSPAN_DEVICES
  bool interprets = false;
  std::unique_ptr<devices::Device> (*decorate)(std::unique_ptr<devices::Device>) = nullptr;
};

inline void PrintTo(const EveryDevice& one, std::ostream* out) { *out << one.name; }

/// With GPUs if the build has the driver without a GPU.
std::span<const EveryDevice> every_device();
Devices make(const EveryDevice& one);

}  // namespace gridspan::test
