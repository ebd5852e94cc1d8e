// The best crossing by what single cuts cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/cross_cut.h"

#include "runtime/plan/attempt.h"
#include "runtime/plan/attempt_plan.h"
#include "runtime/plan/conflicts.h"
#include "runtime/plan/cut.h"
#include "runtime/plan/follow.h"
#include "runtime/plan/plan_cost.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace gridspan::runtime {

namespace {

/// An axis that the launch can be cut along.
struct AxisCost {
  unsigned axis;
  double each;  // bytes that cross one cut, each time
  double all;   // the same for all cuts, where no other axis is cut
};

std::vector<AxisCost> axis_costs(std::span<const LaunchPlan> ways, const abi::Dim& grid,
                                 const Machine& machine) {
  std::vector<AxisCost> costs;
  for (const LaunchPlan& way : ways) {
    if (way.parts.size() < 2 || way.follows) continue;
    const double all = repeated_cost(way, machine);
    const auto cuts = static_cast<double>(way.parts.size() - 1);
    costs.push_back({axis_of(way, grid), all / cuts, all});
  }
  return costs;
}

struct Choice {
  Crossing crossing{};
  double cost = std::numeric_limits<double>::infinity();
};

/// Cuts across the inner axis, all as long as the outer one is: a group of some of the devices has
/// one less, each of the group's share.
double inner_cuts(std::size_t groups, std::size_t devices) {
  double cuts = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t first = group * devices / groups, end = (group + 1) * devices / groups;
    const auto members = static_cast<double>(end - first);
    cuts += (members - 1) * members / static_cast<double>(devices);
  }
  return cuts;
}

void consider(const AxisCost& outer, const AxisCost& inner, std::size_t devices,
              const BoundLaunch& launch, Choice& best) {
  for (std::uint32_t groups = 2; groups < devices; ++groups) {
    const double cost = (groups - 1) * outer.each + inner_cuts(groups, devices) * inner.each;
    if (cost >= best.cost) continue;
    best = {{outer.axis, inner.axis, launch.granularity(outer.axis), launch.granularity(inner.axis),
             groups},
            cost};
  }
}

}  // namespace

std::optional<LaunchPlan> cross_cut(const BoundLaunch& launch, const abi::Dim& grid,
                                    const Machine& machine, std::span<const LaunchPlan> ways,
                                    bool always) {
  const std::vector<AxisCost> costs = axis_costs(ways, grid, machine);
  Choice best;
  for (const AxisCost& outer : costs) {
    for (const AxisCost& inner : costs) {
      if (outer.axis != inner.axis) consider(outer, inner, machine.devices(), launch, best);
    }
  }
  const bool pays = std::ranges::all_of(
      costs, [&](const AxisCost& along_one) { return best.cost < along_one.all; });
  if (best.crossing.groups == 0 || !(pays || always)) return std::nullopt;
  Attempt attempt = touch(launch, cut(grid, best.crossing, machine.speeds()));
  const bool injective =
      launch.is_injective(best.crossing.outer) && launch.is_injective(best.crossing.inner);
  if (attempt.parts.size() < 2 || settle_conflicts(attempt, launch.obstacles(), injective)) {
    return std::nullopt;
  }
  LaunchPlan plan = make_plan(attempt);
  if (plan.rung != Rung::exact && plan.rung != Rung::may_write) return std::nullopt;
  return plan;
}

}  // namespace gridspan::runtime
