// From plan to work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/launcher.h"

#include "runtime/plan/change_over.h"
#include "runtime/plan/plan_cost.h"
#include "runtime/plan/stages.h"
#include "support/log.h"

#include <algorithm>
#include <utility>

namespace gridspan::runtime {

using regions::Box;

/// `due`: a recipe that is to be given up, for its next way if it has one.
const LaunchPlan& Launcher::choose(LaunchPlans& plans, const Recipe* due,
                                   const KernelCommand& command) {
  if (!due || !due->next) return cheapest(plans, command);
  if (!due->next->is_whole_little()) ++plans.changes;
  coherence_.traffic().changed_over.add(1);
  return *due->next;
}

const LaunchPlan& Launcher::cheapest(LaunchPlans& plans, const KernelCommand& command) {
  const std::vector<LaunchPlan>& ways = plans.ways;
  if (ways.size() == 1 && ways.front().parts.size() == 1) return ways.front();
  for (const LaunchPlan& way : ways) {
    for (const PartPlan& part : way.parts) {
      for (const BufferUse& use : part.uses) coherence_.see_as(*use.buffer, use.view);
    }
  }
  Cost least = least_moving(plans);
  if (coherence_.policy().follows_patterns && least.moved > 0 &&
      planner_.add_following(plans, *least.way, command))
    consider(plans, ways.back(), least);
  const LaunchPlan* best = least.way;
  // Against what is worked on, what crosses a stencil's cuts is little: to make sure that it is the
  // least can wait until the launch is repeated.
  const double little = best->work / 32 * static_cast<double>(coherence_.devices());
  const Machine& machine = coherence_.machine();
  if (!plans.knows_crossing && least.moved >= little && is_worth_planning(least.moved)) {
    planner_.add_crossing(plans, command);
    best = least_moving(plans).way;
  }
  if (plans.has_crossing && coherence_.policy().two_axes == TwoAxes::always) best = &ways.back();
  const LaunchPlan& home = ways.back();
  if (home.rung != Rung::one_device || !coherence_.policy().weighs_work) return *best;
  const double begins = machine.beginning() * static_cast<double>(best->parts.size() - 1);
  const double moves = moving_cost(*best, machine) - moving_cost(home, machine) + begins;
  const double saves = home.work - best->work;
  support::log(support::LogLevel::debug, "%s: to split costs %.0f bytes more, to save work on %.0f",
               command.kernel->name, moves, saves);
  return moves < saves ? *best : home;
}

/// Of the ways but that to keep together what parts would change.
Launcher::Cost Launcher::least_moving(const LaunchPlans& plans) const {
  Cost least;
  for (const LaunchPlan& way : plans.ways) consider(plans, way, least);
  return least;
}

/// Takes the way if it costs less.
void Launcher::consider(const LaunchPlans& plans, const LaunchPlan& way, Cost& least) const {
  if (way.rung == Rung::one_device) return;
  const Machine& machine = coherence_.machine();
  const double standing =
      coherence_.policy().weighs_work ? standing_cost(way, plans.ways, machine) : 0;
  const double moved = moving_cost(way, machine, least.all - standing);
  // To gather what is spread may pay if it is done once (change_over.h).
  if (way.is_whole_little() && (moved > 0 || !is_left_alone(plans))) return;
  if (moved + standing < least.all) least = {&way, moved, moved + standing};
}

/// To look for a way that moves less takes some microseconds for each device.
bool Launcher::is_worth_planning(double bytes) const {
  const Policy& policy = coherence_.policy();
  const auto devices = static_cast<double>(coherence_.devices());
  return policy.two_axes != TwoAxes::never && bytes >= policy.plans_for_bytes * devices;
}

void Launcher::launch(const std::shared_ptr<LaunchPlans>& plans, const KernelCommand& command) {
  ++launches_;
  Recipe* const known = find_ready_recipe(*plans);
  const bool is_due = known && ((known->next && known->turns == 0) ||
                                (known->plan->is_whole_little() && !is_left_alone(*plans)));
  if (known && !is_due) return launch_again(plans, *known, command);
  const bool is_noted = notes(*plans);
  Recipe recipe;
  if (is_noted) recipe.before = states(*plans);
  const std::uint64_t residents = residency_.generation();
  std::vector<CopyStep> gathered;  // what does not belong to the recipe
  coherence_.record_copies(&gathered);
  const Cause cause = known && known->next ? Cause::change_over : Cause::read;
  const LaunchPlan& plan = choose(*plans, known, command);
  if (known) plans->recipes.erase(plans->recipes.begin() + (known - plans->recipes.data()));
  recipe.plan = &plan;
  tell(plan, command);
  if (plan.keeps_order) coherence_.fence();
  if (plan.touches_everything) prepare_everything();
  const DeviceSet crowded = residency_.make_room(plan);
  if (crowded.is_empty()) {
    recipe.copies = prepare(plan, cause);
    carry_out(recipe, {}, command);
    take_over(plan);
  } else {
    recipe.copies = launch_in_rounds(plan, crowded, command);
  }
  coherence_.record_copies(nullptr);
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses)
      use.buffer->pattern = std::shared_ptr<const LaunchPlan>(plans, &plan);
  }
  if (watcher_) {
    std::vector<CopyStep> all = gathered;
    all.insert(all.end(), recipe.copies.begin(), recipe.copies.end());
    watcher_->carried_out(plan, all);
  }
  note_use(*plans, plan);
  bool settled = false;
  for (VirtualBuffer* buffer : plans->buffers) settled |= coherence_.settle(*buffer);
  if (plan.keeps_order) coherence_.fence();
  if (!is_noted) return;
  recipe.after = states(*plans);
  if (plan.touches_everything || !gathered.empty() || settled || changes_a_view(recipe)) return;
  if (residency_.generation() != residents || !crowded.is_empty()) return;
  if (plans->recipes.size() >= most_recipes) plans->recipes.erase(plans->recipes.begin());
  plans->recipes.push_back(std::move(recipe));
}

/// The same launch over buffers in the same state as once before. What is done twice is likely to
/// be done often: from here on it pays to find out what may run before its copies.
void Launcher::launch_again(const std::shared_ptr<LaunchPlans>& plans, Recipe& recipe,
                            const KernelCommand& command) {
  const LaunchPlan& plan = *recipe.plan;
  repeated_at_ = launches_;
  tell(plan, command);
  if (plan.keeps_order) coherence_.fence();
  if (recipe.next) --recipe.turns;
  const bool is_first = !recipe.stages;
  if (is_first) recipe.stages = stages_of(recipe, command);
  // Little work may be left alone by now.
  if (is_first || (plan.is_little && !recipe.next && ++plans->repeats % not_long == 0))
    look_ahead(*plans, recipe, command);
  carry_out(recipe, *recipe.stages, command);
  if (watcher_) watcher_->carried_out(plan, recipe.copies);
  note_use(*plans, plan);
  for (std::size_t i = 0; i < plans->buffers.size(); ++i) {
    VirtualBuffer& buffer = *plans->buffers[i];
    buffer.holders = recipe.after[i];  // of the same view as before: equality said so
    if (buffer.pattern.get() != &plan) {
      buffer.pattern = std::shared_ptr<const LaunchPlan>(plans, &plan);
    }
  }
  if (plan.keeps_order) coherence_.fence();
}

/// Whether a recipe of the launch is likely to be used. In a program that has done nothing again
/// for long, and has done much, that waits until the same launch is met again.
bool Launcher::notes(LaunchPlans& plans) const {
  const bool is_met_again = std::exchange(plans.is_met_again, true);
  return is_met_again || launches_ - repeated_at_ <= never_repeats;
}

void Launcher::note_use(const LaunchPlans& plans, const LaunchPlan& plan) const {
  if (plan.is_little) return;
  for (VirtualBuffer* buffer : plans.buffers) buffer->large_use = launches_;
}

/// What other launches have spread not long ago, and are likely to want so again, little ones leave
/// where it is.
bool Launcher::is_left_alone(const LaunchPlans& plans) const {
  return std::ranges::all_of(plans.buffers, [this](const VirtualBuffer* buffer) {
    return buffer->large_use == 0 || launches_ - buffer->large_use > not_long;
  });
}

/// One whose plan has memory for all it touches. To make that so may change who holds what.
Recipe* Launcher::find_ready_recipe(LaunchPlans& plans) {
  Recipe* known = find_recipe(plans);
  if (!known || residency_.is_ready(*known->plan)) return known;
  if (!residency_.make_room(*known->plan).is_empty()) return nullptr;
  known = find_recipe(plans);
  return known && residency_.is_ready(*known->plan) ? known : nullptr;
}

/// What parts wrote is newest on their devices.
void Launcher::take_over(const LaunchPlan& plan) {
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) coherence_.own(*use.buffer, part.device, use.writes);
  }
}

Recipe::States Launcher::states(const LaunchPlans& plans) {
  Recipe::States states;
  for (const VirtualBuffer* buffer : plans.buffers) states.push_back(buffer->holders);
  return states;
}

/// Boxes mean something in one view only: what saw a buffer anew is not done again from notes.
bool Launcher::changes_a_view(const Recipe& recipe) {
  for (std::size_t i = 0; i < recipe.before.size(); ++i) {
    if (recipe.before[i].view() != recipe.after[i].view()) return true;
  }
  return false;
}

/// Maps that share their content are told to be equal at once, so this costs little.
Recipe* Launcher::find_recipe(LaunchPlans& plans) {
  for (Recipe& recipe : plans.recipes) {
    bool same = true;
    for (std::size_t i = 0; i < plans.buffers.size() && same; ++i) {
      same = plans.buffers[i]->holders == recipe.before[i];
    }
    if (same) return &recipe;
  }
  return nullptr;
}

void Launcher::tell(const LaunchPlan& plan, const KernelCommand& command) {
  Traffic& traffic = coherence_.traffic();
  traffic.launches[static_cast<std::size_t>(plan.rung)].add(1);
  traffic.parts.add(plan.parts.size());
  if (!support::logs(support::LogLevel::debug)) return;
  support::log(support::LogLevel::debug, "%s runs in %zu parts, %s%s%s", command.kernel->name,
               plan.parts.size(), rung_name(plan.rung), plan.why.empty() ? "" : ": ",
               plan.why.c_str());
}

/// What a part reads of another's writes is what stood there before the launch: what runs before
/// the copies writes nothing of what is copied.
void Launcher::carry_out(const Recipe& recipe, const Stages& stages, const KernelCommand& command) {
  const LaunchPlan& plan = *recipe.plan;
  coherence_.traffic().early.add(stages.early.size());
  if (coherence_.fault().is_set()) return;
  for (const Piece& piece : stages.early) pusher_.push(plan, piece, command);
  for (const CopyStep& step : recipe.copies) coherence_.push_copy(step);
  if (stages.early.empty()) return push_parts(plan, command);
  for (const Piece& piece : stages.late) pusher_.push(plan, piece, command);
}

void Launcher::look_ahead(LaunchPlans& plans, Recipe& recipe, const KernelCommand& command) const {
  if (plans.ways.size() < 2) return;
  if (!recipe.copies.empty() &&
      is_worth_planning(copying_cost(recipe.copies, coherence_.machine())))
    planner_.add_crossing(plans, command);
  else if (!recipe.plan->is_little && !recipe.plan->follows)
    return;
  runtime::look_ahead(plans, recipe, coherence_.machine(), coherence_.policy().weighs_work,
                      is_left_alone(plans));
}

Stages Launcher::stages_of(const Recipe& recipe, const KernelCommand& command) {
  const Overlap policy = coherence_.policy().overlap;
  if (policy == Overlap::never || recipe.copies.empty()) return {};
  return stages(*recipe.plan, BoundLaunch(command, buffers_), recipe.copies, coherence_.machine(),
                policy);
}

void Launcher::push_parts(const LaunchPlan& plan, const KernelCommand& command) {
  if (coherence_.fault().is_set()) return;
  if (plan.rung != Rung::reduction && plan.rung != Rung::scattered) {
    for (const PartPlan& part : plan.parts) pusher_.push(plan, part, command);
    return;
  }
  for (const PartPlan& part : plan.parts) {
    shared_writes_.before(plan, part);
    pusher_.push(plan, part, command);
  }
  shared_writes_.after(plan);
}

void Launcher::prepare_everything() {
  buffers_.meet_all();
  for (const auto& [base, buffer] : buffers_.all()) {
    const Box whole = buffer->whole();
    coherence_.make_current(*buffer, 0, {&whole, 1}, Cause::gather);
    coherence_.own(*buffer, 0, {&whole, 1});
  }
}

/// Sees buffers as the plan does, and makes room. The copies that parts need are left to be pushed.
std::vector<CopyStep> Launcher::prepare(const LaunchPlan& plan, Cause cause) {
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) coherence_.see_as(*use.buffer, use.view);
  }
  // What parts change is found by comparison with what stood there before, which must be the same
  // everywhere, even where that is what memory happened to hold.
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      if (!use.merges.empty())
        coherence_.own_unwritten(*use.buffer, merge_target(plan, use.buffer), use.merges);
    }
  }
  std::vector<CopyStep> copies;
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      coherence_.find_copies(*use.buffer, part.device, use.reads, cause, copies);
      if (use.merges.empty()) continue;
      coherence_.find_copies(*use.buffer, merge_target(plan, use.buffer), use.merges, cause,
                             copies);
    }
  }
  for (const PartPlan& part : plan.parts) {
    for (const PointerArgument& pointer : plan.pointers) {
      coherence_.memory(*pointer.buffer, part.device);
    }
  }
  return copies;
}

}  // namespace gridspan::runtime
