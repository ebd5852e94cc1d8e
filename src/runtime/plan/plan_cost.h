// What a plan costs, in bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans are compared by what they move, given where the data is, and by how well they spread the
// work. Where parts change the same places, moving is weighed against the launch's whole work, for
// one device needs to move nothing. A byte touched counts by the device's speed and a byte moved by
// its link's, where these are known (machine.h); else alike. docs/devices.md tells it to users.
#pragma once

#include "runtime/plan/launch_plan.h"
#include "runtime/plan/machine.h"
#include "runtime/plan/work_profile.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gridspan::runtime {

/// What must move for the plan, in bytes: what parts lack; a share of what gets a new owner, since
/// somebody will want it back; what is set up, compared and combined because parts change the same
/// places. Where it is more than `enough`, some number above that: what does not win need not be
/// known.
double moving_cost(const LaunchPlan& plan, const Machine& machine,
                   double enough = std::numeric_limits<double>::infinity());

/// What must move each time if the launch is done again and again, as seen from one of its buffers:
/// what parts read of it that is another's. A byte is the part's that writes it; of a buffer that
/// is only read, the part's that writes the same place of a buffer of the same shape, for that is
/// likely to be read next; else the first reader's.
double repeated_cost(const LaunchPlan& plan, const VirtualBuffer& buffer, const Machine& machine);
/// The same for all buffers.
double repeated_cost(const LaunchPlan& plan, const Machine& machine);

/// Of copies, counted as above.
double copying_cost(std::span<const CopyStep> copies, const Machine& machine);

/// What the busiest part works on beyond what it must: beyond the busiest part of the most even of
/// `ways`, and an eighth of that, which is not worth moving anything for. They have been weighed.
double idle_bytes(const LaunchPlan& plan, const std::vector<LaunchPlan>& ways);

/// What the plan costs each time beside what it must work on and what it moves: idle bytes, and
/// what it takes to begin its parts and so many copies.
double standing_cost(const LaunchPlan& plan, const std::vector<LaunchPlan>& ways,
                     const Machine& machine, std::size_t copies = 0);

/// Bytes of what parts change together, over all parts.
std::int64_t shared_bytes(const LaunchPlan& plan);

/// Sets the `work` of the launch's ways, what the busiest part's blocks touch, and the parts'
/// `bytes`.
void weigh(const WorkProfile& profile, const abi::Dim& grid, const Machine& machine,
           std::vector<LaunchPlan>& ways);

}  // namespace gridspan::runtime
