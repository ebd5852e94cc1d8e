// One attempt per grid axis; two where blocks differ in their work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/split.h"

#include "runtime/plan/attempt.h"
#include "runtime/plan/attempt_plan.h"
#include "runtime/plan/conflicts.h"
#include "runtime/plan/plan_cost.h"

#include <algorithm>

namespace gridspan::runtime {

namespace {

constexpr unsigned axis_count = 3;

/// Axes in the order in which they are tried.
std::vector<unsigned> axis_order(const abi::KernelModel& model, const abi::Dim& grid) {
  std::vector<unsigned> order;
  for (unsigned axis = 0; axis < axis_count; ++axis) {
    if (extent(grid, axis) > 1) order.push_back(axis);
  }
  std::ranges::sort(order, [&](unsigned a, unsigned b) {
    const bool a_first = static_cast<int>(a) == model.suggested_axis;
    const bool b_first = static_cast<int>(b) == model.suggested_axis;
    if (a_first != b_first) return a_first;
    return extent(grid, a) != extent(grid, b) ? extent(grid, a) > extent(grid, b) : a < b;
  });
  return order;
}

LaunchPlan together(const BoundLaunch& launch, const abi::Dim& grid, std::string why) {
  Attempt attempt = touch(launch, {{0, {{0, 0, 0}, grid}}});
  LaunchPlan plan = make_plan(attempt);
  plan.rung = Rung::one_device;
  plan.why = std::move(why);
  return plan;
}

/// Ways in which parts change the same places, that with the fewest such bytes first; and, last, to
/// stay together, which may cost less.
std::vector<LaunchPlan> sharing_ways(const BoundLaunch& launch, const WorkProfile& profile,
                                     const abi::Dim& grid, std::vector<LaunchPlan> ways) {
  const auto least = std::ranges::min_element(ways, {}, shared_bytes);
  std::rotate(ways.begin(), least, least + 1);
  ways.push_back(
      together(launch, grid, "to put together what parts change costs more: " + ways.front().why));
  weigh(profile, grid, ways);
  return ways;
}

struct Found {
  std::vector<LaunchPlan> plans;
  std::vector<LaunchPlan> sharing;  // ways in which parts change the same places
  std::string why_not;
};

void attempt_cut(const BoundLaunch& launch, unsigned axis, std::vector<CutPart> parts,
                 Found& found) {
  Attempt attempt = touch(launch, std::move(parts));
  if (attempt.parts.size() < 2) return;
  const abi::ModelAxis& described = launch.model().axes[axis];
  const bool injective = described.legal && described.legal(launch.values());
  if (auto conflict = settle_conflicts(attempt, launch.model(), injective)) {
    if (found.why_not.empty()) found.why_not = std::move(*conflict);
    return;
  }
  LaunchPlan plan = make_plan(attempt);
  const bool shares = plan.rung == Rung::reduction || plan.rung == Rung::scattered;
  (shares ? found.sharing : found.plans).push_back(std::move(plan));
}

}  // namespace

std::vector<LaunchPlan> split(const BoundLaunch& launch, const abi::Dim& grid,
                              std::span<const std::uint32_t> speeds) {
  const abi::KernelModel& model = launch.model();
  const auto stay = [&](std::string why) {
    return std::vector<LaunchPlan>{together(launch, grid, std::move(why))};
  };
  if (speeds.size() < 2) return stay("there is one device");
  if (model.obstacles & abi::obstacle_grid_barrier) return stay("waits for the whole grid");
  if (model.obstacles & abi::obstacle_pointer_value) {
    return stay("uses the address of an array as a value");  // those at home are the program's
  }
  Found found;
  const WorkProfile profile = work_profile(launch, grid);
  for (const unsigned axis : axis_order(model, grid)) {
    const std::uint32_t granularity = model.axes[axis].granularity;
    const AxisProfile& work = profile.axes[axis];
    attempt_cut(launch, axis, cut(grid, axis, granularity, speeds), found);
    if (!work.is_even()) {
      attempt_cut(launch, axis, cut(grid, axis, granularity, speeds, work), found);
    }
  }
  if (found.plans.size() > 1) weigh(profile, grid, found.plans);
  if (!found.plans.empty()) return std::move(found.plans);
  if (!found.sharing.empty()) return sharing_ways(launch, profile, grid, std::move(found.sharing));
  return stay(found.why_not.empty() ? "too few blocks" : found.why_not);
}

}  // namespace gridspan::runtime
