// A GPU, or a share of one, as a device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpus.h"
#include "devices/device.h"
#include "devices/maker.h"
#include "support/result.h"

#include <cstdint>
#include <memory>

namespace gridspan::devices::cuda {

/// The device that `share` describes, which gives out at most `capacity` bytes. The error says in
/// one line what the driver refused.
support::Result<std::unique_ptr<Device>> make_device(const Share& share, std::uint64_t capacity,
                                                     DeviceId id);

/// Devices whose recipes are shares. All but the home device are lazy if the request says so.
Maker maker;

}  // namespace gridspan::devices::cuda
