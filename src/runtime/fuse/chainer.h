// Runs launches that follow one another as chains, or as one kernel, where that pays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence of launches that comes again is planned, and run in order, as chains of several slab
// sizes and with kernels made of several by turns, until the times say which is best. Before that
// it only runs. Decisions: docs/decisions/0024-chains.md, 0026-kernels-of-several.md.
//
// On a device that only begins work launches are held until enough of them have come:
// docs/decisions/0027-held-launches.md.
#pragma once

#include "devices/device_facts.h"
#include "runtime/fuse/fuse_counts.h"
#include "runtime/fuse/group_key.h"
#include "runtime/fuse/group_plan.h"
#include "runtime/fuse/group_times.h"
#include "runtime/fuse/pace.h"
#include "runtime/fuse/resting_kernels.h"
#include "runtime/schedule/group_place.h"
#include "runtime/schedule/group_runner.h"
#include "support/background.h"

#include <atomic>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime::fuse {

/// Used by the holder of the queue's role, but for `counts`.
class Chainer final : public GroupRunner {
 public:
  enum class Mode {
    trial,  // what was measured to pay
    now,    // whatever can be chained, at once
    check,  // that, and in order; the results are compared
  };

  struct Settings {
    Mode mode = Mode::trial;
    bool moves = false;                   // copies and fills inside the device may be in groups
    bool loads_late = false;              // code is loaded by a driver, which takes its time
    std::string_view no_chains = {};      // why there are to be none
    devices::DeviceCode* code = nullptr;  // ChainPolicy::code
  };
  /// `fuser`: null if no kernels are to be made of several. All outlive this.
  Chainer(GroupPlace& place, const devices::DeviceFacts& facts, const AllocationTable& allocations,
          KernelFuser* fuser, const Settings& settings);

  bool wants(const KernelCommand& first) override;
  std::optional<KernelCommand> as_launch(const Command& command) override;
  std::chrono::nanoseconds longest_hold() const override;
  bool compares() const override { return mode_ == Mode::check; }
  bool waits(std::span<KernelCommand* const> window, const WindowState& state) override;
  GroupResult run(std::span<KernelCommand* const> window, const WindowState& state) override;
  /// Kernels go soon: until they have, nothing is planned, since who waits for their launches may
  /// keep others from loading libraries. Any thread.
  void expect_to_forget() { are_going_.store(true); }
  /// Kernels went, and others may come to their addresses.
  void forget();

  const FuseCounts& counts() const { return counts_; }
  /// Groups whose results differed from those of launches in order (Mode::check).
  std::uint64_t differences() const { return differences_; }

 private:
  struct Answer {
    support::Background<bool> coming;  // while another thread finds out
    bool may = false;
  };
  struct Known {
    unsigned seen = 0;
    unsigned load_at = 0;  // so often seen, code of kernels made of several is loaded; 0: not known
    std::uint64_t number = 0;  // of the plan, among all of this process
    // Of the table of allocations, when `plan` was last compared, and when the next one was begun.
    std::uint64_t changes = 0, coming_changes = 0;
    bool is_planned = false;
    bool loads_later = false;  // the plan has chains only until then
    GroupPlan plan;
    struct {
      const abi::Kernel* kernel;
      LaunchShape shape;
      std::string names;  // of all kernels
    } first_of_trial = {};
    support::Background<GroupPlan> coming;  // while another thread makes it
    /// Its best way is being found out.
    bool is_open() const {
      return coming.valid() || (is_planned && plan.ways() > 1 && !plan.trial.verdict());
    }
  };

  std::size_t group_size(const GroupKey& key, std::size_t window) const;
  Known& look_up(std::string_view key);
  bool plan(Known& known, std::span<KernelCommand* const> group);
  void begin_plan(Known& known, std::span<KernelCommand* const> group);
  void take(Known& known, GroupPlan&& plan);
  bool has_same_memory(Known& known) const;
  bool loads(const Known& known) const;
  GroupResult run_known(std::span<KernelCommand* const> group, std::string_view key, Known& known,
                        const WindowState& state);
  bool may_fuse(const abi::Module& module);
  bool may_be_chained(const KernelCommand& launch);
  bool may_be_held(const KernelCommand& launch);
  void tell_why(const abi::Kernel& kernel);
  void note_result(bool pays);
  void note_end(std::size_t willing, std::size_t offered, const WindowState& state);
  GroupResult pass_over(std::span<KernelCommand* const> group);
  devices::RunResult try_way(std::span<KernelCommand* const> group, std::string_view key,
                             Known& known, std::size_t way, const WindowState& state);
  void note_time(const GroupTry& tried, std::int64_t nanoseconds);
  devices::RunResult run_way(std::span<KernelCommand* const> group, const GroupPlan& plan,
                             std::size_t way);
  devices::RunResult run_in_order(std::span<KernelCommand* const> group);
  devices::RunResult run_each(std::span<KernelCommand* const> group);
  devices::RunResult run_fused(std::span<KernelCommand* const> group, const GroupPlan& plan,
                               const Chain* chain);
  devices::RunResult find_culprit(std::span<KernelCommand* const> group,
                                  const devices::RunResult& result);
  devices::RunResult run_chain(std::span<KernelCommand* const> group, const Chain& chain,
                               double saved);
  devices::RunResult check_ways(std::span<KernelCommand* const> group, Known& known,
                                const WindowState& state);

  GroupPlace& place_;
  const AllocationTable& allocations_;
  /// Plans that are being made are waited for, but in a forked child, which has no such thread.
  void drop_all();
  const int process_;
  KernelFuser* const fuser_;
  const Mode mode_;
  const bool moves_, loads_late_;
  ChainPolicy policy_;
  const bool holds_;  // launches are only begun
  GroupTimes times_;
  Pace pace_;
  std::unordered_map<std::string, Known> known_;
  std::set<const abi::Kernel*> told_;  // why they are in no group
  /// A sequence that comes so often is planned.
  static constexpr unsigned first_least_seen = 2, last_least_seen = 64;
  unsigned least_seen_ = first_least_seen;
  RestingKernels resting_;
  RestingKernels small_;  // launches of them are not held for chains
  std::unordered_map<const abi::Module*, Answer> may_fuse_;
  std::unordered_map<const abi::Kernel*, LaunchShape> launched_;  // last
  std::uint64_t plans_ = 0;
  std::size_t passed_over_ = 0;  // launches still to come that no group is looked for at
  std::uint64_t last_end_ = 0;   // of a window: its place in the queue
  FuseCounts counts_;
  std::uint64_t differences_ = 0;
  std::atomic<bool> are_going_ = false;  // kernels
};

}  // namespace gridspan::runtime::fuse
