// Which allocations have pages of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace gridspan::devices {

/// From this size on what DeviceMemory::allocate gives is aligned to pages and shares none, so that
/// other processes can be given them.
inline constexpr std::size_t own_pages = std::size_t{64} << 10;

}  // namespace gridspan::devices
