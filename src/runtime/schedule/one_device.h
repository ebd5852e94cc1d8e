// One device that shares its memory with the program: nothing to plan, nothing to move.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/executor.h"
#include "runtime/schedule/first_fault.h"
#include "runtime/schedule/launch_runner.h"

#include <vector>

namespace gridspan::runtime {

/// Does every command before it returns.
class OneDevice final : public Executor {
 public:
  /// `runner` runs the launches instead of the device; null: the device does. All outlive this.
  OneDevice(devices::Device& device, const AllocationTable& allocations,
            LaunchRunner* runner = nullptr)
      : device_(device), allocations_(allocations), runner_(runner) {
    values_.reserve(64);
  }

  void run(KernelCommand& command) override;
  void run(CopyCommand& command) override;
  void run(FillCommand& command) override;
  void run(RecordCommand& command) override;
  devices::Fault fault() const override { return fault_.get(); }

 private:
  /// See abi::LaunchContext.
  struct AboutArguments {
    bool are_distinct = false, are_small = false;
  };
  /// Of the arguments in `values_`. Looks only for kernels to which it makes a difference.
  AboutArguments look_at_arguments(const abi::Kernel& kernel);

  devices::Device& device_;
  const AllocationTable& allocations_;
  LaunchRunner* runner_;
  std::vector<const void*> values_;    // argument pointers of the running kernel
  std::vector<std::uintptr_t> bases_;  // of the allocations it uses
  FirstFault fault_;
};

}  // namespace gridspan::runtime
