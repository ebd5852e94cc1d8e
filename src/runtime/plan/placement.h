// Where new data from the host is put.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/virtual_buffer.h"

#include <cstddef>

namespace gridspan::runtime {

/// Which devices are to get each byte of the buffer: those whose parts used it in its pattern;
/// where there is none, stretches of equal size in order of the devices (Mekong §8.2, linear
/// distribution). Of small buffers, bytes no part used go home. Without `follows_patterns` every
/// buffer is distributed.
regions::RegionMap<DeviceSet> placement(const VirtualBuffer& buffer, std::size_t devices,
                                        bool follows_patterns = true);

}  // namespace gridspan::runtime
