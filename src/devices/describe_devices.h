// From GRIDSPAN_DEVICES to what the devices are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/kinds.h"
#include "support/options.h"
#include "support/result.h"

#include <span>
#include <vector>

namespace gridspan::devices {

/// The devices of the terms, at least one, in their order. `threads`: GRIDSPAN_THREADS, 0 if unset.
/// The error is one line that begins with the variable's name.
support::Result<std::vector<DescribedDevice>> describe_devices(
    std::span<const support::DeviceTerm> terms, unsigned threads);

}  // namespace gridspan::devices
