// One device that shares its memory with the program: nothing to plan, nothing to move.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/event_times.h"
#include "runtime/schedule/executor.h"
#include "runtime/schedule/first_fault.h"
#include "runtime/schedule/launch_runner.h"

#include <atomic>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace gridspan::runtime {

/// Does every command before it returns, or begins it, if the device only begins commands.
class OneDevice final : public Executor {
 public:
  /// `runner` runs the launches instead of the device; null: the device does. All outlive this.
  OneDevice(devices::Device& device, const AllocationTable& allocations,
            LaunchRunner* runner = nullptr)
      : device_(device),
        allocations_(allocations),
        runner_(runner),
        only_begins_(device.only_begins()),
        marks_(only_begins_ ? remembered : 0),
        event_times_({&device}) {
    values_.reserve(64);
  }

  void run(KernelCommand& command) override;
  void run(CopyCommand& command) override;
  void run(FillCommand& command) override;
  void run(RecordCommand& command) override;
  bool is_quick() const override { return only_begins_; }
  void passed(Sequence sequence) override;
  bool is_finished(Sequence sequence) const override;
  void finish(Sequence sequence) override;
  devices::Fault fault() const override { return fault_.get(); }

 private:
  /// See abi::LaunchContext.
  struct AboutArguments {
    bool are_distinct = false, are_small = false;
  };
  /// Of the arguments in `values_`. Looks only for kernels to which it makes a difference.
  AboutArguments look_at_arguments(const abi::Kernel& kernel);

  static constexpr std::size_t remembered = 4096;  // sequences
  devices::Mark mark_of(Sequence sequence) const { return marks_[sequence % remembered].load(); }
  void note_finished(Sequence sequence) const;
  void keep(std::unique_ptr<char[]> staged);

  devices::Device& device_;
  const AllocationTable& allocations_;
  LaunchRunner* runner_;
  const bool only_begins_;
  std::vector<const void*> values_;    // argument pointers of the running kernel
  std::vector<std::uintptr_t> bases_;  // of the allocations it uses
  mutable FirstFault fault_;

  // Of a device that only begins.
  bool has_begun_ = false;       // something since the last mark
  devices::Mark last_mark_ = 0;  // behind all commands so far
  /// Behind each of the last sequences. Later sequences overwrite earlier ones, which is safe:
  /// their marks are higher.
  std::vector<std::atomic<devices::Mark>> marks_;
  std::deque<std::pair<devices::Mark, std::unique_ptr<char[]>>> kept_;  // what copies read
  std::shared_ptr<EventMarks> marked_;                                  // by the command that runs
  mutable EventTimes event_times_;
  /// Up to here everything is known to be finished; also true of what is no longer remembered.
  mutable std::atomic<Sequence> finished_{0};
};

}  // namespace gridspan::runtime
