// Who wants to know how launches are carried out, and where.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/launch_plan.h"
#include "runtime/plan/part_times.h"

#include <span>

namespace gridspan::runtime {

class LaunchWatcher {
 public:
  virtual ~LaunchWatcher() = default;

  /// The launch that is being run goes by `plan`, after `copies`. On the thread that plans.
  virtual void carried_out(const LaunchPlan& plan, std::span<const CopyStep> copies) = 0;
  /// From that launch on its kernel has these shares, which were found out by timing.
  virtual void shares_changed(const Shares& shares) = 0;
  /// From the command that is being run on, all devices take part, or the home device does all.
  virtual void place_changed(bool on_all) = 0;
};

}  // namespace gridspan::runtime
