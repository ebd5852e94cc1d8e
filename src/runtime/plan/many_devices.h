// Several devices with memories of their own, as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/bus_bound.h"
#include "runtime/plan/launcher.h"
#include "runtime/plan/planner.h"
#include "runtime/plan/residency.h"
#include "runtime/plan/spread_choice.h"
#include "runtime/plan/transfers.h"
#include "runtime/schedule/event_times.h"
#include "runtime/schedule/executor.h"
#include "runtime/schedule/group_place.h"
#include "runtime/schedule/group_runner.h"

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gridspan::runtime {

/// Starts commands on devices and returns; what runs when follows from what conflicts.
class ManyDevices final : public Executor, public GroupPlace {
 public:
  /// `devices`, the home device first, and `allocations` outlive this. Never destroyed. `isolated`,
  /// for tests: parts run one at a time, and touching another device's memory is a fault.
  ManyDevices(std::span<const std::unique_ptr<devices::Device>> devices,
              const AllocationTable& allocations, bool isolated, const Policy& policy = {},
              const devices::Measured& measured = {});

  void run(KernelCommand& command) override;
  void run(CopyCommand& command) override;
  void run(FillCommand& command) override;
  void run(PrefetchCommand& command) override;
  void run(RecordCommand& command) override;
  bool is_quick() const override;
  void passed(Sequence sequence) override;
  bool is_finished(Sequence sequence) const override;
  void finish(Sequence sequence) override;
  devices::Fault fault() const override { return fault_.get(); }
  devices::Fault take_refusal() override { return fault_.take_refusal(); }

  /// From now on windows of launches are offered to `groups`, which outlives this. Before the first
  /// command.
  void offer_to(GroupRunner* groups) { groups_ = groups; }
  bool takes_groups() const override { return groups_ != nullptr; }
  bool wants_group(const KernelCommand& first) override { return groups_->wants(first); }
  GroupRun run_group(std::span<KernelCommand* const> window, const WindowState& state) override;
  std::chrono::nanoseconds longest_hold() const override;

  // For the runner of groups.
  bool only_begins() const override { return true; }
  devices::RunResult run_launch(KernelCommand& launch) override;
  /// Where one device does all of each.
  std::optional<devices::RunResult> run_chain(std::span<KernelCommand* const> launches,
                                              const Chain& chain) override;
  devices::RunResult finish_all() override;
  bool is_idle() override;
  std::unique_ptr<Moment> mark_moment() override;
  void read(const Allocation& memory, char* bytes) override;
  void write(const Allocation& memory, char* bytes) override;

  // For who runs commands on the home device alone, now and then. Nothing runs meanwhile.
  std::vector<devices::Device*> devices() const;
  /// Memory that was given back is no longer known.
  void forget_released();
  /// What a launch is likely to take.
  SpreadChoice::Forecast forecast(const KernelCommand& command);
  /// What a launch touches, in bytes.
  struct Reuse {
    bool is_elsewhere = false;  // all of it may run in rounds, on devices that are not home
    double touched = 0;         // of its arrays, at most
    double beyond = 0;          // of these, in the host's memory for want of room
    double worked = 0;          // by its blocks, one by one
  };
  Reuse reuse(const KernelCommand& command);
  /// The home device has all that is current. Returns when data is where launches used it before,
  /// if it `distributes` that.
  void take_from_home(bool distributes = true);
  /// It has, from then on. Returns when everything is done.
  void bring_home();
  /// After that: other devices give back what their copies had.
  void drop_copies();
  /// Of so many bytes between two devices.
  double link_seconds(std::uint64_t bytes) const;

  /// Any thread: memory was given back; nothing uses it any more.
  void released(std::uintptr_t base);
  /// By the holder of the queue's role: nothing runs, kernels go, and others may come to their
  /// addresses.
  void forget_kernels();

  /// What launches that devices have no room for copy again and again from the host's memory.
  void lock_pages_by(Launcher::LockPages lock) { launcher_.lock_pages_by(std::move(lock)); }

  /// Tells `watcher` how each launch from now on is carried out. Before the first command.
  void watch(LaunchWatcher* watcher) {
    watcher_ = watcher;
    launcher_.watch(watcher);
  }
  /// Nothing is timed: launches go by what `repeat` says (gridspan replay). Before the first
  /// command.
  void only_repeat() { part_times_.only_repeat(); }
  void repeat(const abi::Kernel& kernel, Shares shares) {
    if (part_times_.is_used()) part_times_.repeat(kernel, std::move(shares));
  }

  const Traffic& traffic() const { return traffic_; }
  const SpreadMachine& rates() const { return rates_; }

 private:
  static constexpr std::size_t remembered = 4096;  // sequences
  struct QueueOf {
    devices::Device* device;
    WorkQueue* queue;
  };

  static std::vector<QueueOf> queues_of(std::span<const Lane> lanes);
  double work_seconds(const KernelCommand& command);
  PartTimes* part_times() { return part_times_.is_used() ? &part_times_ : nullptr; }
  bool has_finished_all() const;
  std::shared_ptr<EventMarks> mark(std::shared_ptr<EventRecord> event);
  void wait_for_everything();
  void wait_for_queues(Sequence sequence) const;
  void note_finished(Sequence sequence) const;
  std::size_t slot(Sequence sequence) const { return sequence % remembered * queues_.size(); }

  GroupRunner* groups_ = nullptr;
  LaunchWatcher* watcher_ = nullptr;
  FirstFault fault_;
  Traffic traffic_;
  const SpreadMachine rates_;
  const bool is_measured_;
  const double memory_rate_;  // of the fastest device, bytes per second
  std::vector<Lane> lanes_;
  std::vector<QueueOf> queues_;  // of all lanes
  BufferTable buffers_;
  Coherence coherence_;
  Residency residency_;
  PartTimes part_times_;
  Planner planner_;
  Launcher launcher_;
  Transfers transfers_;
  BusBound bus_bound_;
  /// Of each of the last sequences: the queues' last tickets when it had passed. Later sequences
  /// overwrite earlier ones, which is safe: their tickets are higher.
  std::vector<std::atomic<Ticket>> tickets_;
  std::mutex change_mutex_;  // while all memory is on its way
  /// Up to here everything is known to be finished; also true of what is no longer remembered.
  mutable std::atomic<Sequence> finished_{0};
  mutable EventTimes event_times_;
  std::shared_ptr<EventMarks> marked_;  // by the command that runs
};

}  // namespace gridspan::runtime
