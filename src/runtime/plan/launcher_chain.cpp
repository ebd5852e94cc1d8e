// Launches of a chain, where one GPU has all that they need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/launcher.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace gridspan::runtime {

namespace {

using Plans = std::shared_ptr<LaunchPlans>;

/// Nobody else has what the part writes: when it has run, that is as it was before.
bool writes_its_own(const PartPlan& part) {
  const auto only = DeviceSet::only(part.device);
  return std::ranges::all_of(part.uses, [&](const BufferUse& use) {
    if (use.buffer->is_shared || use.writes.empty()) return true;
    if (!use.buffer->reshape(use.view)) return false;
    return std::ranges::all_of(use.writes, [&](const regions::Box& box) {
      return use.buffer->holders.query(
          box, [&](const regions::Box&, DeviceSet holders) { return holders == only; });
    });
  });
}

}  // namespace

/// The way in which the launch would run now, if that is one part, which writes places of its own;
/// else null.
const LaunchPlan* Launcher::plan_of_step(LaunchPlans& plans) {
  const Recipe* const recipe = find_recipe(plans);
  const bool is_due =
      recipe && (recipe->next || (recipe->plan->is_whole_little() && !is_left_alone(plans)));
  if (is_due || (!recipe && plans.ways.size() != 1)) return nullptr;
  const LaunchPlan& plan = recipe ? *recipe->plan : plans.ways.front();
  const bool is_plain = plan.parts.size() == 1 &&
                        (plan.rung == Rung::exact || plan.rung == Rung::may_write) &&
                        !plan.keeps_order && !plan.touches_everything;
  return is_plain ? &plan : nullptr;
}

bool Launcher::launch_chain(std::span<const Plans> launches,
                            std::span<KernelCommand* const> commands, const Chain& chain) {
  if (watcher_ || coherence_.fault().is_set()) return false;
  std::vector<const LaunchPlan*> ways;
  for (const Plans& plans : launches) {
    const LaunchPlan* const way = plan_of_step(*plans);
    if (!way) return false;
    ways.push_back(way);
    if (way->parts.front().device != ways.front()->parts.front().device) return false;
  }
  for (const LaunchPlan* way : ways)
    if (!residency_.is_ready(*way) && !residency_.make_room(*way).is_empty()) return false;
  for (const LaunchPlan* way : ways)  // room for one may have been another's
    if (!residency_.is_ready(*way) || !writes_its_own(way->parts.front())) return false;
  launches_ += launches.size();
  repeated_at_ = launches_;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    tell(*ways[i], *commands[i]);
    note_use(*launches[i], *ways[i]);
    // What the device lacks no launch of the chain writes.
    for (const CopyStep& copy : prepare(*ways[i], Cause::read)) coherence_.push_copy(copy);
    for (VirtualBuffer* buffer : launches[i]->buffers)
      buffer->pattern = std::shared_ptr<const LaunchPlan>(launches[i], ways[i]);
  }
  std::vector<std::size_t> steps(launches.size()), pushed(launches.size());
  const auto for_each_step = [&chain](auto take) {
    for (const Phase& phase : chain)
      for (const Strip& strip : phase) std::ranges::for_each(strip, take);
  };
  for_each_step([&](const Step& step) { ++steps[step.launch]; });
  for_each_step([&](const Step& step) {
    using Place = PartPusher::Place;
    const std::size_t i = step.launch;
    const bool is_first = pushed[i]++ == 0, is_last = pushed[i] == steps[i];
    const Place place = is_first && is_last ? Place::only
                        : is_first          ? Place::first
                        : is_last           ? Place::last
                                            : Place::middle;
    pusher_.push_step(*ways[i], ways[i]->parts.front(), step.blocks, place, *commands[i]);
  });
  for (const Plans& plans : launches)
    for (VirtualBuffer* buffer : plans->buffers) coherence_.settle(*buffer);
  return true;
}

}  // namespace gridspan::runtime
