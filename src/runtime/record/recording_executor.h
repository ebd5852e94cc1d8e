// Stands between the queue and the executor, and writes down what passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It is there only while a recording is made: without one, commands cost nothing more.
#pragma once

#include "runtime/plan/many_devices.h"
#include "runtime/record/memory_notes.h"
#include "runtime/record/module_notes.h"
#include "runtime/record/plan_notes.h"
#include "runtime/schedule/executor.h"

#include <atomic>
#include <optional>
#include <set>

namespace gridspan::runtime::record {

class RecordingExecutor final : public Executor, public LaunchWatcher {
 public:
  /// `planning`: the executor itself if it plans, else null. All outlive this.
  RecordingExecutor(Recorder& recorder, Executor& executor, ManyDevices* planning,
                    const AllocationTable& table);

  /// Any thread: memory was given back.
  void released(std::uintptr_t base) { memory_.released(base); }

  void run(KernelCommand& command) override;
  void run(CopyCommand& command) override;
  void run(FillCommand& command) override;
  void run(RecordCommand& command) override;
  // Devices with lines keep them: a kernel may wait for the work of another stream.
  void run(WaitCommand& command) override { executor_.run(command); }
  void use_line(unsigned line) override { executor_.use_line(line); }
  bool calls(const HostCommand& command) const override { return executor_.calls(command); }
  void run(HostCommand& command) override { executor_.run(command); }
  bool is_quick() const override { return executor_.is_quick(); }
  void lines_change() override { executor_.lines_change(); }
  bool holds_back(const KernelCommand& launch) override { return executor_.holds_back(launch); }
  void passed(Sequence sequence) override;
  bool is_finished(Sequence sequence) const override { return executor_.is_finished(sequence); }
  void finish(Sequence sequence) override {
    executor_.finish(sequence);
    note_fault(sequence);
  }
  bool is_finished_alone(Sequence sequence) const override {
    return executor_.is_finished_alone(sequence);
  }
  void finish_alone(Sequence sequence) override {
    executor_.finish_alone(sequence);
    note_fault(sequence);
  }
  bool is_finished_joined(Sequence sequence) const override {
    return executor_.is_finished_joined(sequence);
  }
  void finish_joined(Sequence sequence) override {
    executor_.finish_joined(sequence);
    note_fault(sequence);
  }
  devices::Fault fault() const override { return executor_.fault(); }
  devices::Fault take_refusal() override { return executor_.take_refusal(); }

  void carried_out(const LaunchPlan& plan, std::span<const CopyStep> copies) override;
  void shares_changed(const Shares& shares) override;
  void place_changed(bool on_all) override;

 private:
  struct Brought {
    Pitched to;
    Extent extent;
  };

  void begin();
  void note_fault(Sequence sequence);
  SideNote side(const Pitched& memory) const;
  Bytes keep(const Pitched& memory, const Extent& extent);
  void write_digest(const Brought& brought);

  Recorder& recorder_;
  Executor& executor_;
  ManyDevices* planning_;
  MemoryNotes memory_;
  ModuleNotes modules_;
  PlanNotes plans_;
  std::set<std::uintptr_t> new_variables_;  // of images that are not written yet
  Sequence command_ = 1;                    // the one that runs
  ModuleNotes::Place launched_;             // its kernel, if it is a launch
  std::uint64_t began_ = 0;
  bool is_noted_ = false;  // a note of the command was written
  MovedNote moved_;
  std::optional<Brought> brought_;  // by the copy that runs, to the host
  std::atomic<bool> has_fault_{false};
};

}  // namespace gridspan::runtime::record
