// Carries out launch plans: copies, parts around them, then who owns what.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/buffer_table.h"
#include "runtime/plan/coherence.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/launch_watcher.h"
#include "runtime/plan/packer.h"
#include "runtime/plan/part_pusher.h"
#include "runtime/plan/planner.h"
#include "runtime/plan/residency.h"
#include "runtime/plan/shared_writes.h"
#include "runtime/schedule/chain_steps.h"

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace gridspan::runtime {

class PackedParts;

class Launcher {
 public:
  Launcher(Coherence& coherence, Residency& residency, BufferTable& buffers, const Planner& planner,
           PartTimes* times)
      : coherence_(coherence),
        residency_(residency),
        buffers_(buffers),
        planner_(planner),
        pusher_(coherence, buffers, times) {}

  /// Carries out the plan that moves least.
  void launch(const std::shared_ptr<LaunchPlans>& plans, const KernelCommand& command);

  /// Runs launches step by step where one device does all of each, and nobody else has what they
  /// write. Else does nothing, and is false.
  bool launch_chain(std::span<const std::shared_ptr<LaunchPlans>> launches,
                    std::span<KernelCommand* const> commands, const Chain& chain);

  /// Has pages of the host's memory locked, by the base of an allocation; false if that can't be.
  using LockPages = std::function<bool(std::uintptr_t base)>;
  void lock_pages_by(LockPages lock) { lock_pages_ = std::move(lock); }

  /// Tells `watcher` of every launch from now on.
  void watch(LaunchWatcher* watcher) { watcher_ = watcher; }

  /// Buffers went away: tables of variables' addresses are made anew.
  void forget_symbols() { pusher_.forget_symbols(); }

  /// All that there is becomes current on the home device, which owns it from then on.
  void gather_everything() { prepare_everything(); }

 private:
  static constexpr std::size_t most_recipes = 8;
  static constexpr std::uint64_t never_repeats = 256;  // launches
  static constexpr std::uint64_t not_long = 64;        // launches

  void launch_again(const std::shared_ptr<LaunchPlans>& plans, Recipe& recipe,
                    const KernelCommand& command);
  const LaunchPlan* plan_of_step(LaunchPlans& plans);
  bool notes(LaunchPlans& plans) const;
  static Recipe::States states(const LaunchPlans& plans);
  static bool changes_a_view(const Recipe& recipe);
  static Recipe* find_recipe(LaunchPlans& plans);
  Recipe* find_ready_recipe(LaunchPlans& plans);
  std::vector<CopyStep> launch_in_rounds(const LaunchPlan& plan, DeviceSet crowded,
                                         const KernelCommand& command);
  DeviceSet stream(const LaunchPlan& plan);
  void write_behind(const LaunchPlan& round, std::vector<CopyStep>& copied);
  void carry_out_round(const LaunchPlan& round, const KernelCommand& command,
                       std::vector<CopyStep>& copied);
  bool carry_out_packed(const LaunchPlan& round, const Packer& packer, const KernelCommand& command,
                        std::vector<CopyStep>& copied, std::unique_ptr<PackedParts>& before);
  void take_over(const LaunchPlan& plan);
  void tell(const LaunchPlan& plan, const KernelCommand& command);
  const LaunchPlan& choose(LaunchPlans& plans, const Recipe* due, const KernelCommand& command);
  const LaunchPlan& cheapest(LaunchPlans& plans, const KernelCommand& command);
  /// Of a way: what it moves, and that with what it costs beside.
  struct Cost {
    const LaunchPlan* way = nullptr;
    double moved = 0;
    double all = std::numeric_limits<double>::infinity();
  };
  Cost least_moving(const LaunchPlans& plans) const;
  void consider(const LaunchPlans& plans, const LaunchPlan& way, Cost& least) const;
  void note_use(const LaunchPlans& plans, const LaunchPlan& plan) const;
  bool is_left_alone(const LaunchPlans& plans) const;
  bool is_worth_planning(double bytes) const;
  void look_ahead(LaunchPlans& plans, Recipe& recipe, const KernelCommand& command) const;
  std::vector<CopyStep> prepare(const LaunchPlan& plan, Cause cause);
  Stages stages_of(const Recipe& recipe, const KernelCommand& command);
  void carry_out(const Recipe& recipe, const Stages& stages, const KernelCommand& command);
  void push_parts(const LaunchPlan& plan, const KernelCommand& command);
  void prepare_everything();

  Coherence& coherence_;
  Residency& residency_;
  BufferTable& buffers_;
  const Planner& planner_;
  PartPusher pusher_;
  SharedWrites shared_writes_{coherence_};
  LaunchWatcher* watcher_ = nullptr;
  std::uint64_t launches_ = 0;
  LockPages lock_pages_;
  bool is_backwards_ = false;      // the rounds of the next launch that has some
  std::uint64_t repeated_at_ = 0;  // the last launch that was done again from a recipe
};

}  // namespace gridspan::runtime
