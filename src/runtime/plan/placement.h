// Where new data from the host is put.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/virtual_buffer.h"

#include <cstdint>
#include <span>

namespace gridspan::runtime {

/// Which devices are to get each byte of the buffer: those whose parts used it in its pattern;
/// where there is none, stretches in order of the devices, in proportion to their speeds, as parts
/// are. Of small buffers, bytes no part used go home. Without `follows_patterns` every buffer is
/// distributed in stretches of equal size (Mekong §8.2, linear distribution).
regions::RegionMap<DeviceSet> placement(const VirtualBuffer& buffer,
                                        std::span<const std::uint32_t> speeds,
                                        bool follows_patterns = true);

}  // namespace gridspan::runtime
