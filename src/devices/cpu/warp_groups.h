// Which lanes of a warp may leave the warp operations they wait at.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that wait with the same operation and the same member mask form a group, also when they
// wait at different places of the program. The group goes on when every lane of the mask that has
// not left the kernel waits in it. __activemask has no mask, and a mask that leaves out the lane
// that names it says nothing about whom it goes on with: such lanes go on with those of their kind
// that wait at the same place, once nothing else in the warp can move. So do lanes at a step (of
// code that counts on a warp's going in step, transforms/warp_steps), and those that are behind go
// first, so that they catch up with the others.
#pragma once

#include "devices/cpu/warp_operations.h"

#include <cstdint>

namespace gridspan::devices::cpu {

struct WarpWaits {
  std::uint32_t live = 0;     // lanes that have not left the kernel
  std::uint32_t waiting = 0;  // lanes at warp operations; the arrays below hold for these only
  abi::SyncKind kind[abi::warp_size];
  std::uintptr_t place[abi::warp_size];  // equal for lanes at the same sync point
  std::uint32_t order[abi::warp_size];   // of steps: lanes with less are behind
};

/// Performs every complete operation of lanes that name themselves; returns the lanes that go on.
/// At a shuffle lanes that its mask leaves out get what the group's lanes have, as on GPUs, if they
/// wait there with it.
std::uint32_t release_groups(const WarpWaits& waits, const WarpOperands& warp);

/// Lets go on those at the first step in order, if lanes wait at steps. Else:
/// Performs __activemask for every place where lanes wait at it, and what lanes wait at whose masks
/// leave them out; returns the lanes that go on. Of a ballot these get the votes their masks name,
/// as GPUs do; CUDA leaves the result undefined.
std::uint32_t release_unnamed(const WarpWaits& waits, const WarpOperands& warp);

}  // namespace gridspan::devices::cpu
