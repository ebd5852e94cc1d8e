// From GRIDSPAN_DEVICES to what the devices are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpus.h"
#include "devices/device.h"
#include "support/options.h"
#include "support/result.h"

#include <optional>
#include <span>
#include <vector>

namespace gridspan::devices {

/// A device that is still to be made.
struct DescribedDevice {
  DeviceFacts facts;
  std::optional<cuda::Share> gpu = std::nullopt;  // of a GPU
};

/// The devices of the terms, at least one, in their order. `threads`: GRIDSPAN_THREADS, 0 if unset.
/// The error is one line that begins with the variable's name.
support::Result<std::vector<DescribedDevice>> describe_devices(
    std::span<const support::DeviceTerm> terms, unsigned threads);

}  // namespace gridspan::devices
