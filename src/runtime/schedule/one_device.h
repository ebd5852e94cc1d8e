// One device that shares its memory with the program: nothing to plan, nothing to move.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/executor.h"
#include "runtime/schedule/first_fault.h"
#include "runtime/schedule/group_runner.h"
#include "runtime/schedule/launch_frame.h"
#include "runtime/schedule/launch_runner.h"

#include <span>

namespace gridspan::runtime {

/// Does every command before it returns.
class OneDevice final : public Executor {
 public:
  /// `runner` runs the launches instead of the device; null: the device does. `groups` is offered
  /// windows of launches; null: nobody is. All outlive this.
  OneDevice(devices::Device& device, const AllocationTable& allocations,
            LaunchRunner* runner = nullptr, GroupRunner* groups = nullptr)
      : device_(device), runner_(runner), groups_(groups), frame_(&allocations) {}

  void run(KernelCommand& command) override;
  void run(CopyCommand& command) override;
  void run(FillCommand& command) override;
  void run(RecordCommand& command) override;
  bool takes_groups() const override { return groups_ != nullptr; }
  bool wants_group(const KernelCommand& first) override { return groups_->wants(first); }
  std::optional<KernelCommand> as_launch(const Command& command) override {
    return groups_->as_launch(command);
  }
  GroupRun run_group(std::span<KernelCommand* const> window, const WindowState& state) override;
  devices::Fault fault() const override { return fault_.get(); }

 private:
  devices::Device& device_;
  LaunchRunner* runner_;
  GroupRunner* groups_;
  LaunchFrame frame_;
  FirstFault fault_;
};

}  // namespace gridspan::runtime
