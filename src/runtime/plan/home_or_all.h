// Several GPUs: the home device alone runs what the program asks for, until it pays to divide it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     home alone   streams, graphs, held launches: as on one GPU; other devices hold nothing
//     current all          launches are planned and divided (many_devices.h)
//
// Between the two everything comes to rest, so neither has to know of the other.
#pragma once

#include "devices/lazy_device.h"
#include "runtime/plan/many_devices.h"
#include "runtime/plan/parts_ahead.h"
#include "runtime/plan/spread_choice.h"
#include "runtime/schedule/streamed_device.h"

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gridspan::runtime {

class HomeOrAll final : public Executor {
 public:
  /// All outlive this. `home` runs on the first of `all`'s devices; some of the others are lazy.
  HomeOrAll(StreamedDevice& home, ManyDevices& all, devices::LazyDevices& lazy,
            const AllocationTable& allocations, const SpreadChoice& choice)
      : home_(home),
        all_(all),
        lazy_(lazy),
        allocations_(allocations),
        choice_(choice),
        ahead_(all.devices(), lazy) {}

  void run(KernelCommand& command) override;
  void run(CopyCommand& command) override;
  void run(FillCommand& command) override;
  void run(RecordCommand& command) override { now().run(command); }
  void run(PrefetchCommand& command) override { now().run(command); }
  void run(WaitCommand& command) override { now().run(command); }
  bool takes_groups() const override { return home_.takes_groups() || all_.takes_groups(); }
  bool wants_group(const KernelCommand& first) override {
    return now().takes_groups() && now().wants_group(first);
  }
  std::optional<KernelCommand> as_launch(const Command& command) override {
    return now().takes_groups() ? now().as_launch(command) : std::nullopt;
  }
  GroupRun run_group(std::span<KernelCommand* const> window, const WindowState& state) override;
  std::chrono::nanoseconds longest_hold() const override { return home_.longest_hold(); }
  bool takes_graphs() const override { return true; }
  void run(GraphCommand& command) override;
  bool calls(const HostCommand& command) const override { return now().calls(command); }
  void run(HostCommand& command) override { now().run(command); }
  void use_line(unsigned line) override;
  bool is_quick() const override { return true; }
  void lines_change() override { lines_changed_.store(devices::now_nanoseconds()); }
  /// A program may launch in a moment what takes the home device seconds. What all devices would do
  /// sooner is begun there when little is left of what was begun before. Not where several lines
  /// are in use: what is behind the launch may be of another one.
  bool holds_back(const KernelCommand& launch) override;
  void passed(Sequence sequence) override;

  bool is_finished(Sequence sequence) const override;
  void finish(Sequence sequence) override;
  bool is_finished_alone(Sequence sequence) const override;
  void finish_alone(Sequence sequence) override;
  bool is_finished_joined(Sequence sequence) const override;
  void finish_joined(Sequence sequence) override;

  devices::Fault fault() const override;
  devices::Fault take_refusal() override;

  /// By the holder of the queue's role: nothing runs, kernels go.
  void forget_kernels();
  /// The process ends: nothing is loaded any more.
  void stop_loading() { ahead_.stop(); }
  /// Devices forget the code of kernels, which nobody loads when this returns.
  void forget_code() { ahead_.forget(); }

  /// Tells `watcher` of changes of place, and where it is now. Before the first command.
  void watch(LaunchWatcher* watcher) {
    watcher_ = watcher;
    tell_place();
  }

  /// Changes of place, a line each, as Traffic has them.
  std::string text() const;

 private:
  struct Sample {
    SpreadChoice::Kind* kind;
    std::unique_ptr<Moment> first, last;
  };

  Executor& now() const {
    return is_home_.load(std::memory_order_acquire) ? static_cast<Executor&>(home_) : all_;
  }
  void change_if_due();
  SpreadChoice::Kind& note(const KernelCommand& command);
  bool is_prepared(SpreadChoice::Kind& kind);
  bool wants_sample(const KernelCommand& command);
  SpreadChoice::Kind& kind_of(const KernelCommand& command);
  bool holds_back(const SpreadChoice::Kind& kind);
  bool is_far_ahead();
  void wait_for_home(const KernelCommand& command);
  void note_begun(const SpreadChoice::Kind& kind);
  void forget_begun();
  void run_timed(SpreadChoice::Kind& kind, KernelCommand& command);
  void look_at_samples(const SpreadChoice::Kind& kind);
  void take_samples();
  void look_at_times();
  bool is_with_host(const CopyCommand& command) const;
  void end_before_copy();
  void drop_moment();
  void tell_place() {
    if (watcher_) watcher_->place_changed(!is_home_.load());
  }
  bool may_return(std::int64_t end);
  double bytes();
  void expect_others();
  template <class Done>
  bool waits_patiently(Done done);
  template <class Done>
  bool comes_to(Done done);
  void wait_for_time(SpreadChoice::Kind& kind);
  void leave_home();
  void return_home();
  template <class Ask>
  bool ask(Sequence sequence, Ask ask_one) const;
  void note_rest(Sequence sequence) const;

  StreamedDevice& home_;
  ManyDevices& all_;
  devices::LazyDevices& lazy_;
  const AllocationTable& allocations_;
  SpreadChoice choice_;
  PartsAhead ahead_;
  LaunchWatcher* watcher_ = nullptr;
  std::atomic<bool> is_home_{true};
  std::atomic<std::uint64_t> changes_{0};  // of place
  std::atomic<Sequence> passed_{0};
  std::atomic<Sequence> drained_{0};  // up to here all was finished before the last change
  unsigned line_ = joining_line;
  std::deque<Sample> samples_;
  unsigned launches_since_look_ = 0;  // at the first of them
  // At home, of launches that all devices would do sooner.
  double begun_ = 0;                            // seconds, behind the last of these moments
  std::deque<std::unique_ptr<Moment>> behind_;  // that were not seen to be reached, and two more
  // Nanoseconds: nothing is held before the one, nor within some time of the other.
  std::int64_t patient_from_ = 0;
  std::atomic<std::int64_t> lines_changed_{0};
  std::uint64_t bytes_at_ = ~std::uint64_t{0};  // changes of the table when `bytes_` was counted
  double bytes_ = 0;
  std::size_t allocated_ = 0;    // allocations then
  std::uint64_t counts_at_ = 0;  // changes, to see whether there is much memory
  bool is_due_ = false;          // to leave home
  bool expects_others_ = false;

  // On all devices.
  std::int64_t busy_since_ = 0;                   // nanoseconds; 0: they have nothing to do
  mutable std::atomic<std::int64_t> at_rest_{0};  // since then; 0: not known to be
  std::uint64_t moved_ = 0, merged_ = 0;          // bytes, at its begin
  std::unique_ptr<Moment> end_;                   // of an interval that is not reached yet
  bool is_before_copy_ = false;  // it is, and nothing counts until the copy is done
  std::atomic<std::uint64_t> launches_at_home_{0};
};

}  // namespace gridspan::runtime
