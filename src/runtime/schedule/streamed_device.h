// One device that only begins commands: lines of the program's commands become lines of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/event_times.h"
#include "runtime/schedule/executor.h"
#include "runtime/schedule/first_fault.h"
#include "runtime/schedule/graph_work.h"
#include "runtime/schedule/group_runner.h"
#include "runtime/schedule/kept_sources.h"
#include "runtime/schedule/launch_frame.h"
#include "runtime/schedule/moment.h"

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace gridspan::runtime {

class StreamedDevice final : public Executor {
 public:
  /// `groups` is offered windows of launches; null: nobody is. Both outlive this.
  explicit StreamedDevice(devices::Device& device, GroupRunner* groups = nullptr);

  void run(KernelCommand& command) override;
  void run(CopyCommand& command) override;
  void run(FillCommand& command) override;
  void run(PrefetchCommand& command) override;
  void run(RecordCommand& command) override;
  void run(WaitCommand& command) override;
  bool takes_groups() const override { return groups_ != nullptr; }
  bool wants_group(const KernelCommand& first) override { return groups_->wants(first); }
  std::optional<KernelCommand> as_launch(const Command& command) override {
    return groups_->as_launch(command);
  }
  std::chrono::nanoseconds longest_hold() const override {
    return groups_ ? groups_->longest_hold() : std::chrono::nanoseconds();
  }
  GroupRun run_group(std::span<KernelCommand* const> window, const WindowState& state) override;
  bool takes_graphs() const override { return true; }
  void run(GraphCommand& command) override;
  bool calls(const HostCommand& command) const override {
    return command.is_programs && device_.queue().host_calls() != nullptr;
  }
  void run(HostCommand& command) override;
  void use_line(unsigned line) override;
  /// Somebody else used the device within this command.
  void take_line_back() { device_.queue().use_line(line_); }
  /// Between two commands on the line that is used.
  std::unique_ptr<Moment> mark_moment();
  bool is_quick() const override { return true; }
  void passed(Sequence sequence) override;
  bool is_finished(Sequence sequence) const override;
  void finish(Sequence sequence) override;
  bool is_finished_alone(Sequence sequence) const override;
  void finish_alone(Sequence sequence) override;
  bool is_finished_joined(Sequence sequence) const override;
  void finish_joined(Sequence sequence) override;
  devices::Fault fault() const override { return fault_.get(); }
  devices::Fault take_refusal() override { return fault_.take_refusal(); }

 private:
  static constexpr std::size_t remembered = 4096;  // sequences

  /// Behind a command; of another one once the place in the ring was taken again.
  struct Place {
    std::atomic<Sequence> sequence{0};
    std::atomic<devices::Mark> mark{0};
  };
  struct Line {
    std::atomic<devices::Mark> last{0};  // behind all of its commands
    devices::Mark joined = 0;            // of its own, which the joining line has waited for
    devices::Mark seen = 0;              // of the joining line's, which it has waited for
  };

  std::span<const Line> joined_lines() const { return std::span(lines_).first(free_lines); }
  devices::RunResult begin(std::monostate&) { return {}; }
  devices::RunResult begin(KernelCommand& command);
  devices::RunResult begin(CopyCommand& command);
  devices::RunResult begin(FillCommand& command);
  std::unique_ptr<devices::WorkGraph> make_graph(GraphWork& work);
  bool comes_to_rest() const;
  void begin_command();
  void wait_on_line(devices::Mark mark);
  devices::Mark mark_of(Sequence sequence) const;
  void finish_mark(devices::Mark mark) const;
  void finish_lines(std::span<const Line> lines) const;
  void note_finished(Sequence sequence) const;

  devices::Device& device_;
  GroupRunner* const groups_;
  mutable FirstFault fault_;
  LaunchFrame frame_;  // of the kernel that begins
  std::array<Line, devices::max_lines> lines_;
  unsigned line_ = joining_line;    // of the command that runs
  bool joins_every_line_ = false;   // the command that runs
  devices::Mark joined_every_ = 0;  // behind the last one that did
  bool has_begun_ = false;          // the command that runs did something on the device
  std::vector<Place> places_;       // of the last sequences
  KeptSources kept_;
  std::shared_ptr<EventMarks> marked_;  // by the command that runs
  mutable EventTimes event_times_;
  /// Up to here everything is known to be finished.
  mutable std::atomic<Sequence> finished_{0};
};

}  // namespace gridspan::runtime
