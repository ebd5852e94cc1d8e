// A device of which is noted what copies and fills write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <memory>

namespace gridspan::devices {

/// What `device` copies and fills counts as written in written_bytes, which is there.
std::unique_ptr<Device> make_noting(std::unique_ptr<Device> device);

}  // namespace gridspan::devices
