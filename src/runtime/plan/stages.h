// Which blocks of a launch need not wait for its copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part waits for the copies to its device, and these for other devices. Of a stencil's part only
// the rim needs them. The rest, its interior, may run before:
//
//     rows of blocks     ┌───────────────┐ ◄── copied from the device above
//                        │ late          │
//                        │ early         │     neither reads nor writes what is copied to the
//                        │ early         │     device, nor writes what is copied from it
//                        │ late          │
//                        └───────────────┘ ◄── copied from the device below
//
// A device that is ahead of its neighbour then works on, instead of waiting at each launch.
#pragma once

#include "runtime/plan/bound_launch.h"
#include "runtime/plan/footprints.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/machine.h"
#include "runtime/plan/policy.h"

#include <optional>
#include <span>

namespace gridspan::runtime {

/// The largest box found within `blocks` of which no block touches what is copied to `device` or
/// writes what is copied from it; none: there is no such block. O(copied boxes · log blocks) calls
/// of footprint functions.
std::optional<BlockBox> interior(const BoundLaunch& launch, const BlockBox& blocks, unsigned device,
                                 std::span<const CopyStep> copies);

/// The plan's parts around its copies, cut where that pays (or always, as `policy` says). Boxes of
/// the copies are those of the views that buffers have now.
Stages stages(const LaunchPlan& plan, const BoundLaunch& launch, std::span<const CopyStep> copies,
              const Machine& machine, Overlap policy);

}  // namespace gridspan::runtime
