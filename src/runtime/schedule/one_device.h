// One device that shares its memory with the program: nothing to plan, nothing to move.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/executor.h"
#include "runtime/schedule/first_fault.h"
#include "runtime/schedule/launch_runner.h"

#include <vector>

namespace gridspan::runtime {

/// Does every command before it returns.
class OneDevice final : public Executor {
 public:
  /// `runner` runs the launches instead of the device; null: the device does. Both outlive this.
  explicit OneDevice(devices::Device& device, LaunchRunner* runner = nullptr)
      : device_(device), runner_(runner) {
    values_.reserve(64);
  }

  void run(KernelCommand& command) override;
  void run(CopyCommand& command) override;
  void run(FillCommand& command) override;
  void run(RecordCommand& command) override;
  devices::Fault fault() const override { return fault_.get(); }

 private:
  devices::Device& device_;
  LaunchRunner* runner_;
  std::vector<const void*> values_;  // argument pointers of the running kernel
  FirstFault fault_;
};

}  // namespace gridspan::runtime
