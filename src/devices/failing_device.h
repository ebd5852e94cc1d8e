// A device that fails on purpose, for tests of what programs then see (GRIDSPAN_FAULT).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "support/options.h"

#include <memory>

namespace gridspan::devices {

/// `device`, until it has done `failure.after` things of the kind that fails; none of that kind
/// succeeds from then on. Everything else reaches the device.
std::unique_ptr<Device> make_failing(std::unique_ptr<Device> device,
                                     const support::InjectedFailure& failure);

}  // namespace gridspan::devices
