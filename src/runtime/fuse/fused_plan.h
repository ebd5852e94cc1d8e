// Which launches of a group are run as one kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     group      scale  axpy  smooth  add  scale
//     plan      `---- 1 ----'   -    `--- 2 ---'     1, 2: kernels that gridcc made of several
#pragma once

#include "runtime/fuse/common_values.h"
#include "runtime/fuse/kernel_fuser.h"

#include <span>
#include <string>
#include <vector>

namespace gridspan::runtime::fuse {

/// Launches [first, first + count) of a group.
struct FusedKernel {
  std::size_t first, count;
  const abi::Kernel* kernel;
  std::vector<CommonValues::Source> sources;  // of its arguments; launches count from `first`
  support::FusedLaunches launches;            // that it is for
};

struct FusedPlan {
  std::vector<FusedKernel> kernels;   // in order
  std::vector<Allocation> memory;     // of all launches
  std::vector<std::string> refusals;  // why launches that follow one another are not one kernel
  bool may_come_later = false;        // some are being made
  bool is_loaded = false;             // the device has code for all of them
  double saved_bytes = 0;             // not moved again
};

/// Asks `fuser` for the kernels that save bytes. Takes milliseconds, and as long as compiling where
/// the fuser makes them at once.
FusedPlan plan_fused(std::span<KernelCommand* const> launches, const AllocationTable& allocations,
                     KernelFuser& fuser);

/// Of kernels that the device has loaded: smaller ones in the place of those that it cannot run.
FusedPlan plan_loaded(std::span<KernelCommand* const> launches, const AllocationTable& allocations,
                      KernelFuser& fuser);

bool have_same_kernels(const FusedPlan& one, const FusedPlan& other);

/// How many of the group's launches each launch stands for when the plan's kernels run.
std::vector<std::size_t> launch_counts(const FusedPlan& plan, std::size_t launches);

/// The one launch in the place of several of the group.
KernelCommand fused_command(std::span<KernelCommand* const> group, const FusedKernel& fused);

/// Those that it is in the place of. All outlive them.
std::vector<MemberLaunch> members_of(std::span<KernelCommand* const> group,
                                     const FusedKernel& fused);

}  // namespace gridspan::runtime::fuse
