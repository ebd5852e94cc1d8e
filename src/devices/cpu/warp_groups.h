// Which lanes of a warp may leave the warp operations they wait at.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that wait with the same operation and the same member mask form a group, also when they
// wait at different places of the program. The group goes on when every lane of the mask that has
// not left the kernel waits in it. __activemask has no mask: its lanes go on with those that wait
// at the same place, once nothing else in the warp can move.
#pragma once

#include "devices/cpu/warp_operations.h"

#include <cstdint>

namespace gridspan::devices::cpu {

struct WarpWaits {
  std::uint32_t live = 0;     // lanes that have not left the kernel
  std::uint32_t waiting = 0;  // lanes at warp operations; the arrays below hold for these only
  abi::SyncKind kind[abi::warp_size];
  std::uintptr_t place[abi::warp_size];  // equal for lanes at the same sync point
};

/// Performs every complete operation but __activemask; returns the lanes that go on.
std::uint32_t release_groups(const WarpWaits& waits, const WarpOperands& warp);

/// Performs __activemask for every place where lanes wait at it; returns the lanes that go on.
std::uint32_t release_active_masks(const WarpWaits& waits, const WarpOperands& warp);

}  // namespace gridspan::devices::cpu
