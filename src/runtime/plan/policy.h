// What of the planner other schemes lack, or a measurement leaves out (bench/README.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/launch_plan.h"
#include "support/options.h"

#include <cstdint>
#include <span>

namespace gridspan::runtime {

class BoundLaunch;

/// Do blocks that need no copies run before these?
enum class Overlap : std::uint8_t { never, where_it_pays, always };

/// Where it pays: where less moves. Always: whatever can be.
enum class TwoAxes : std::uint8_t { never, where_it_pays, always };

struct Policy {
  /// A copy that was made stays known. Else each byte has one owner, who wrote it last, and is
  /// copied again whenever another device reads it (Mekong §8.3).
  bool keeps_replicas = true;
  /// Data from the host goes where launches used it. Else all of it is distributed in stretches of
  /// equal size (Mekong §8.2).
  bool follows_patterns = true;

  /// Launches whose parts change the same places stay on one device if that costs less, and much
  /// slower devices are left out. Else all that can be split is, for all devices.
  bool weighs_work = true;

  /// Are launches cut along two axes, and do they change to another way when they are repeated?
  TwoAxes two_axes = TwoAxes::where_it_pays;
  /// What is planned to find out what moves less, in bytes that are moved for each device.
  double plans_for_bytes = 16 << 10;

  /// Else all of a part waits for what is copied to its device.
  Overlap overlap = Overlap::where_it_pays;

  /// Devices of unlike kinds take part by measured times (part_times.h). Else by what launches
  /// touch alone, the same each time.
  bool times_parts = true;

  /// Copies between devices are made. Without them results are wrong; all else is done (Mekong
  /// §9.2, β).
  bool moves = true;
  /// Works are done. Without it everything is planned and no memory is touched (gridspan replay).
  bool runs = true;
  /// It is found out what parts read and write. Without it nothing moves either (Mekong §9.2, γ).
  bool resolves = true;
};

Policy policy_of(const support::Options& options);

/// Whether one of several devices may run the program alone, where that takes less time.
bool chooses_home(const support::Options& options);

/// A launch is planned if there are several devices, or if that is to be measured.
bool is_planned(const support::Options& options, std::size_t devices);

/// Parts along the outermost axis that may be split, with nothing known about their memory
/// (`resolves` is off).
LaunchPlan blind_plan(const BoundLaunch& launch, const abi::Dim& grid,
                      std::span<const std::uint32_t> speeds);

}  // namespace gridspan::runtime
