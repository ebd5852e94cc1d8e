// Decides how a launch is split: axis, parts, what each part needs and leaves behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans depend on the launch alone (kernel, shape, arguments) and on which memory is allocated, not
// on what lies where: the same launch has the same plans, which are kept. Which of them is carried
// out is the launcher's choice. Only one depends on what lies where when the launch is first seen,
// and is added then (follow.h).
#pragma once

#include "runtime/plan/launch_plan.h"
#include "runtime/plan/machine.h"
#include "runtime/plan/part_times.h"
#include "runtime/plan/policy.h"
#include "runtime/schedule/command.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime {

class BoundLaunch;
class BufferTable;

class Planner {
 public:
  /// `times`, if any, outlives this.
  Planner(BufferTable& buffers, Machine machine, const Policy& policy = {},
          PartTimes* times = nullptr)
      : buffers_(buffers), machine_(std::move(machine)), policy_(policy), times_(times) {}

  /// From now on a launch of a kernel that `refusal` has something to say of, why some device
  /// cannot run it, stays on the home device.
  void ask_first(std::function<std::string(const abi::Kernel&, const abi::Dim&)> refusal) {
    refusal_ = std::move(refusal);
  }

  /// O(1) for a launch seen before, else O(parts² · sets² + boxes).
  std::shared_ptr<LaunchPlans> plan(const KernelCommand& command);

  /// The ways that `plan` would find if no device refused the kernel: who asks devices has them
  /// load its code. Nothing is kept.
  std::vector<LaunchPlan> likely_ways(const KernelCommand& command) const;

  /// Adds the way whose parts are those of `way`, one of the plans', but where their bytes are now;
  /// true if there is one. At the first call only.
  bool add_following(LaunchPlans& plans, const LaunchPlan& way, const KernelCommand& command) const;

  /// Adds the way to cut the launch along two axes, if it is likely to move less each time than
  /// others do. At the first call only.
  void add_crossing(LaunchPlans& plans, const KernelCommand& command) const;

  /// Buffers went away: what names them is forgotten.
  void forget_plans() {
    plans_.clear();
    order_.clear();
  }

  std::uint64_t plans_made() const { return made_; }

 private:
  static constexpr std::size_t most_plans = 1024;

  std::vector<LaunchPlan> make(const KernelCommand& command) const;
  Machine machine_for(const KernelCommand& command) const;
  static std::string why_not_planned(const KernelCommand& command);
  static void complete(LaunchPlan& plan, const BoundLaunch& launch);

  BufferTable& buffers_;
  const Machine machine_;
  const Policy policy_;
  PartTimes* const times_;
  std::function<std::string(const abi::Kernel&, const abi::Dim&)> refusal_;
  std::unordered_map<std::string, std::shared_ptr<LaunchPlans>> plans_;  // by what write_key makes
  std::deque<const std::string*> order_;  // keys of `plans_`, the oldest first
  std::string key_;
  std::uint64_t made_ = 0;
};

}  // namespace gridspan::runtime
