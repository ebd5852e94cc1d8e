// A device with little memory, for tests of what happens then (GRIDSPAN_COPY_MEMORY).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <cstdint>
#include <memory>

namespace gridspan::devices {

/// `device`, which gives out at most `capacity` bytes for ranges. Where memory comes by itself it
/// is taken in pages from now on, and to touch a page that was not is a fault.
std::unique_ptr<Device> make_limited(std::unique_ptr<Device> device, std::uint64_t capacity);

}  // namespace gridspan::devices
