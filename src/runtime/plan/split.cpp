// One attempt per grid axis; two where blocks differ in their work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/split.h"

#include "runtime/plan/attempt.h"
#include "runtime/plan/attempt_plan.h"
#include "runtime/plan/conflicts.h"
#include "runtime/plan/plan_cost.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace gridspan::runtime {

namespace {

/// Axes in the order in which they are tried.
std::vector<unsigned> axis_order(const BoundLaunch& launch, const abi::Dim& grid) {
  std::vector<unsigned> order;
  for (unsigned axis = 0; axis < axis_count; ++axis) {
    if (extent(grid, axis) > 1) order.push_back(axis);
  }
  std::ranges::sort(order, [&](unsigned a, unsigned b) {
    const bool a_first = static_cast<int>(a) == launch.suggested_axis();
    const bool b_first = static_cast<int>(b) == launch.suggested_axis();
    if (a_first != b_first) return a_first;
    return extent(grid, a) != extent(grid, b) ? extent(grid, a) > extent(grid, b) : a < b;
  });
  return order;
}

LaunchPlan on_one(const BoundLaunch& launch, const abi::Dim& grid, unsigned device,
                  std::string why) {
  LaunchPlan plan = make_plan(touch(launch, {{device, {{0, 0, 0}, grid}}}));
  plan.why = std::move(why);
  return plan;
}

LaunchPlan together(const BoundLaunch& launch, const abi::Dim& grid, std::string why) {
  LaunchPlan plan = on_one(launch, grid, 0, std::move(why));
  plan.rung = Rung::one_device;
  return plan;
}

struct Found {
  std::vector<LaunchPlan> plans;
  std::vector<LaunchPlan> sharing;  // ways in which parts change the same places
  std::optional<LaunchPlan> alone;  // on the only device that is not much slower
  std::string why_not;
};

void attempt_cut(const BoundLaunch& launch, unsigned axis, std::vector<CutPart> parts,
                 Found& found) {
  Attempt attempt = touch(launch, std::move(parts));
  if (attempt.parts.size() < 2) return;
  if (auto conflict = settle_conflicts(attempt, launch.obstacles(), launch.is_injective(axis))) {
    if (found.why_not.empty()) found.why_not = std::move(*conflict);
    return;
  }
  LaunchPlan plan = make_plan(attempt);
  const bool shares = plan.rung == Rung::reduction || plan.rung == Rung::scattered;
  (shares ? found.sharing : found.plans).push_back(std::move(plan));
}

/// Along each axis, for devices of these speeds.
void attempt_cuts(const BoundLaunch& launch, const WorkProfile& profile, const abi::Dim& grid,
                  std::span<const std::uint32_t> speeds, Found& found) {
  for (const unsigned axis : axis_order(launch, grid)) {
    const std::uint32_t granularity = launch.granularity(axis);
    const AxisProfile& work = profile.axes[axis];
    attempt_cut(launch, axis, cut(grid, axis, granularity, speeds), found);
    if (!work.is_even()) {
      attempt_cut(launch, axis, cut(grid, axis, granularity, speeds, work), found);
    }
  }
}

/// Without devices that are much slower than others.
void attempt_fast(const BoundLaunch& launch, const WorkProfile& profile, const abi::Dim& grid,
                  const Machine& machine, Found& found) {
  const std::vector<std::uint32_t> speeds = machine.speeds_of_fast();
  if (speeds.empty()) return;
  const auto is_fast = [](std::uint32_t speed) { return speed != 0; };
  if (std::ranges::count_if(speeds, is_fast) > 1)
    return attempt_cuts(launch, profile, grid, speeds, found);
  const auto device = std::ranges::find_if(speeds, is_fast) - speeds.begin();
  found.alone = on_one(launch, grid, static_cast<unsigned>(device), "others are much slower");
}

/// Those in which all devices that take part have a part: one of them is asked for its time.
std::vector<LaunchPlan> ways_of_all(const BoundLaunch& launch, const WorkProfile& profile,
                                    const abi::Dim& grid, const Machine& machine) {
  Found found;
  attempt_cuts(launch, profile, grid, machine.speeds(), found);
  const auto all = std::ranges::count_if(machine.speeds(), [](auto speed) { return speed != 0; });
  std::erase_if(found.plans, [all](const LaunchPlan& plan) {
    return plan.parts.size() != static_cast<std::size_t>(all);
  });
  weigh(profile, grid, machine, found.plans);
  return std::move(found.plans);
}

/// Where it can't be divided, or is not worth it, whichever device is home.
std::vector<LaunchPlan> whole_on_fastest(const BoundLaunch& launch, const WorkProfile& profile,
                                         const abi::Dim& grid, const Machine& machine,
                                         const std::string& why_not) {
  const auto device = std::ranges::max_element(machine.speeds()) - machine.speeds().begin();
  std::vector<LaunchPlan> ways;
  ways.push_back(on_one(launch, grid, static_cast<unsigned>(device),
                        why_not.empty() ? "others are much slower" : why_not));
  weigh(profile, grid, machine, ways);
  return ways;
}

/// One device is done with the launch before parts are begun on all. What blocks touch says nothing
/// of how long they compute, so the instructions must be known, too.
bool is_little_work(const BoundLaunch& launch, const WorkProfile& profile, const abi::Dim& grid,
                    const Machine& machine) {
  constexpr double bytes_of_an_instruction = 0.25;  // on a GPU, and more than that
  const std::vector<std::uint32_t> fast = machine.speeds_of_fast();
  if (!fast.empty() && fast.front() == 0) return false;
  const double blocks = 1.0 * grid.x * grid.y * grid.z;
  const double instructions = launch.instructions_of_block() * blocks;
  return instructions > 0 &&
         std::max(profile.block_bytes * blocks, bytes_of_an_instruction * instructions) <
             machine.beginning() * static_cast<double>(machine.devices());
}

/// Ways in which parts change the same places, that with the fewest such bytes first; and, last, to
/// stay together, which may cost less.
std::vector<LaunchPlan> sharing_ways(const BoundLaunch& launch, const WorkProfile& profile,
                                     const abi::Dim& grid, const Machine& machine, Found found) {
  std::vector<LaunchPlan> ways = std::move(found.sharing);
  const auto least = std::ranges::min_element(ways, {}, shared_bytes);
  std::rotate(ways.begin(), least, least + 1);
  const std::string why = ways.front().why;
  if (found.alone && found.alone->parts.front().device != 0)
    ways.push_back(std::move(*found.alone));
  ways.push_back(together(launch, grid, "merging the parts' changes costs more: " + why));
  weigh(profile, grid, machine, ways);
  return ways;
}

/// Atomically, in memory that all devices and the host share.
bool updates_shared(const BoundLaunch& launch) {
  return std::ranges::any_of(launch.arrays(), [](const BoundArray& bound) {
    if (!bound.buffer || !bound.buffer->is_shared) return false;
    const abi::ModelSet* const sets = bound.array->sets;
    return std::any_of(sets, sets + bound.array->set_count, [](const abi::ModelSet& set) {
      return set.kind == abi::SetKind::reduction || set.kind == abi::SetKind::atomic;
    });
  });
}

}  // namespace

std::vector<LaunchPlan> split(const BoundLaunch& launch, const abi::Dim& grid,
                              const Machine& machine, bool leaves_out) {
  const std::uint32_t obstacles = launch.obstacles();
  const auto stay = [&](std::string why) {
    return std::vector<LaunchPlan>{together(launch, grid, std::move(why))};
  };
  if (machine.devices() < 2) return stay("there is one device");
  if (obstacles & abi::obstacle_grid_barrier) return stay("waits for the whole grid");
  if (obstacles & abi::obstacle_pointer_value) {
    return stay("uses the address of an array as a value");  // those at home are the program's
  }
  if (!machine.shares_host_updates() && updates_shared(launch))
    return stay("updates memory of the host, which these devices can't do together");
  Found found;
  const WorkProfile profile = work_profile(launch, grid);
  if (machine.asks_all()) {
    std::vector<LaunchPlan> ways = ways_of_all(launch, profile, grid, machine);
    if (!ways.empty()) return ways;
  }
  if (leaves_out) attempt_fast(launch, profile, grid, machine, found);
  attempt_cuts(launch, profile, grid, machine.speeds(), found);
  if (found.plans.empty() && !found.sharing.empty())
    return sharing_ways(launch, profile, grid, machine, std::move(found));
  if (machine.is_of_kernel() && found.plans.empty())
    return whole_on_fastest(launch, profile, grid, machine, found.why_not);
  if (found.plans.empty() && !found.why_not.empty()) return stay(found.why_not);
  if (found.alone && (!found.plans.empty() || found.alone->parts.front().device != 0))
    found.plans.insert(found.plans.begin(), std::move(*found.alone));
  if (found.plans.empty()) return stay("too few blocks");
  if (leaves_out && !found.alone && is_little_work(launch, profile, grid, machine)) {
    found.plans.push_back(on_one(launch, grid, 0, "too little work for several devices"));
    for (LaunchPlan& plan : found.plans) plan.is_little = true;
  }
  if (found.plans.size() > 1 || machine.is_of_kernel()) weigh(profile, grid, machine, found.plans);
  return std::move(found.plans);
}

}  // namespace gridspan::runtime
