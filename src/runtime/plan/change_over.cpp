// What is moved in excess, against what a change costs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/change_over.h"

#include "runtime/plan/plan_cost.h"
#include "support/log.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridspan::runtime {

namespace {

constexpr double worth_it = 0.125;       // of what is moved; less is noise
constexpr unsigned most_doublings = 20;  // of the turns between two changes

std::vector<const VirtualBuffer*> moved_buffers(const Recipe& recipe) {
  std::vector<const VirtualBuffer*> buffers;
  for (const CopyStep& step : recipe.copies) {
    if (std::ranges::count(buffers, step.buffer) == 0) buffers.push_back(step.buffer);
  }
  return buffers;
}

}  // namespace

void look_ahead(const LaunchPlans& plans, Recipe& recipe, const Machine& machine, bool idle_counts,
                bool may_gather) {
  if (recipe.plan->is_whole_little()) return;
  if (recipe.plan->rung != Rung::exact && recipe.plan->rung != Rung::may_write) return;
  const auto moved = moved_buffers(recipe);
  const auto repeated = [&](const LaunchPlan& way) {
    double cost = 0;
    for (const VirtualBuffer* buffer : moved) cost += repeated_cost(way, *buffer, machine);
    return cost;
  };
  const bool follows = recipe.plan->follows;
  const auto standing = [&](const LaunchPlan& way) {
    const std::size_t copies = way.is_whole_little() ? 0 : recipe.copies.size();
    if (!idle_counts) return 0.0;
    // What followed its bytes once need not do so for ever: then all that is uneven counts.
    return standing_cost(way, plans.ways, machine, copies) + (follows ? way.work : 0);
  };
  // Copies that the estimate does not know of would be needed in other ways, too: of what another
  // kernel leaves elsewhere, each time.
  const double moves = std::min(repeated(*recipe.plan), copying_cost(recipe.copies, machine));
  double most = worth_it * moves;
  for (const LaunchPlan& way : plans.ways) {
    if (&way == recipe.plan) continue;
    if (way.is_whole_little() ? !may_gather : recipe.copies.empty() && !follows) continue;
    const double saved = moves - repeated(way) + standing(*recipe.plan) - standing(way);
    if (saved <= most || saved < machine.beginning() / 2) continue;
    most = saved;
    recipe.next = &way;
  }
  if (!recipe.next) return;
  // A change that did not last was none: each takes twice as long as the one before.
  const double changes = std::exp2(std::min(plans.changes, most_doublings));
  recipe.turns = static_cast<std::uint64_t>(changes * moving_cost(*recipe.next, machine) / most);
  support::log(support::LogLevel::debug,
               "in %zu parts it moves %.0f bytes each time; in %zu it would move %.0f less, from "
               "%llu launches on",
               recipe.plan->parts.size(), moves, recipe.next->parts.size(), most,
               static_cast<unsigned long long>(recipe.turns));
}

}  // namespace gridspan::runtime
