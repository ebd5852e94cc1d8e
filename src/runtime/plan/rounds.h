// A launch that devices have no room for, as several, one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks have no order, so a part may be done piece by piece: the device has memory for one piece
// at a time, and what earlier ones used is evicted for it (residency.h). Pieces are boxes of
// blocks, cut in halves along the axis that leaves them the least to touch, until they fit:
//
//     device 0  | part 0                  |       device 1  | piece 0 | piece 1 | piece 2 | piece 3
//     |
//                                                   round       0         1         2         3
//
// A round is a launch of one piece for each device, planned like any other. What does not fit block
// by block is done by the home device, which has memory for everything.
#pragma once

#include "runtime/plan/bound_launch.h"
#include "runtime/plan/cut.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/packer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gridspan::runtime {

/// Bytes that devices have room for, by device. Home, device 0, has room for everything; another
/// one with room for nothing gets nothing.
using Room = std::vector<std::uint64_t>;

/// No block waits for another one, or sees what it does: they may run in rounds.
bool has_free_blocks(const BoundLaunch& launch);

/// Pieces of the plan's parts; those of one round are of different parts, on different devices.
/// `launch` is the plan's, and its buffers are seen as the plan sees them.
/// Arrays of a piece may be packed boxes. On devices of `in_turns` two pieces fit at a time, if one
/// of half that size can be: one is run while the other's data comes.
std::vector<std::vector<CutPart>> rounds(const LaunchPlan& plan, const Packer& packer,
                                         const Room& room, DeviceSet in_turns);

/// How the pieces of a round are run: by one plan, or, where that can't be, by one for each, one
/// after the other.
std::vector<LaunchPlan> plans_of(std::span<const CutPart> round, const LaunchPlan& plan,
                                 const BoundLaunch& launch);
/// One piece by itself.
LaunchPlan plan_alone(const CutPart& piece, const LaunchPlan& plan, const BoundLaunch& launch);

}  // namespace gridspan::runtime
