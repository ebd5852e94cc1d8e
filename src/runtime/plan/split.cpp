// One attempt per grid axis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/split.h"

#include "runtime/plan/attempt.h"
#include "runtime/plan/conflicts.h"
#include "runtime/plan/outline.h"
#include "runtime/plan/plan_cost.h"
#include "runtime/plan/private_shares.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace gridspan::runtime {

namespace {

using regions::Box;

constexpr std::size_t axis_count = 3;

void append(std::vector<Box>& to, const std::vector<Box>& boxes) {
  to.insert(to.end(), boxes.begin(), boxes.end());
}

void lower(LaunchPlan& plan, Rung rung, const std::string& why) {
  if (rung <= plan.rung) return;
  plan.rung = rung;
  plan.why = why;
}

/// Bytes of which each element of the array is a whole number, and starts at one.
std::uint32_t unit_of(const BoundArray& bound) {
  const auto offset = static_cast<std::uint64_t>(std::abs(bound.offset));
  return static_cast<std::uint32_t>(std::gcd(std::uint64_t{bound.array->element_bytes}, offset));
}

/// What part `i` does through `set`, which it shares with no other part, or only by merging.
void add_use(const Attempt& attempt, const SetUse& set, std::size_t i, LaunchPlan& plan) {
  BufferUse& use = plan.parts[i].use_of(attempt.buffers[set.buffer], attempt.views[set.buffer]);
  const std::vector<Box>& boxes = set.touched[i].boxes;
  const bool exact = set.is_exact(i, attempt.parts[i].blocks);
  const abi::SetKind kind = set.set->kind;
  const bool replaced = exact && kind == abi::SetKind::must_write && !set.merged;
  if (!replaced) append(use.reads, boxes);
  if (!is_write(kind)) return;
  append(set.merged ? use.merges : use.writes, boxes);
  if (set.merged) {
    use.merge_bytes = std::gcd(use.merge_bytes, unit_of(*set.bound));
    lower(plan, Rung::scattered, "parts may write the same places of " + set.name());
  } else if (!replaced && !(exact && kind == abi::SetKind::reduction)) {
    lower(plan, Rung::may_write, "not surely written: " + set.name());
  }
}

void outline_changes(LaunchPlan& plan) {
  for (PartPlan& part : plan.parts) {
    for (BufferUse& use : part.uses) {
      append(use.changed, use.writes);
      append(use.changed, use.merges);
      for (const PrivateCopy& copy : use.private_copies) append(use.changed, copy.boxes);
      use.changed = outline(use.changed);
    }
  }
}

/// The plan of an attempt whose conflicts are settled.
LaunchPlan make_plan(const Attempt& attempt) {
  LaunchPlan plan;
  plan.rung = Rung::exact;
  for (const CutPart& part : attempt.parts) {
    plan.parts.push_back({part.device, part.blocks.first, part.blocks.count, {}});
  }
  for (const SetUse& set : attempt.uses) {
    if (attempt.buffers[set.buffer]->is_shared) continue;
    if (set.reduced) lower(plan, Rung::reduction, "several parts update " + set.name());
    for (std::size_t i = 0; i < attempt.parts.size() && !set.reduced; ++i) {
      if (!set.touched[i].boxes.empty()) add_use(attempt, set, i, plan);
    }
  }
  share_reductions(attempt, plan);
  outline_changes(plan);
  return plan;
}

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
std::vector<LaunchPlan> sharing_ways(const BoundLaunch& launch, const abi::Dim& grid,
                                     std::vector<LaunchPlan> ways) {
  const auto least = std::ranges::min_element(ways, {}, shared_bytes);
  std::rotate(ways.begin(), least, least + 1);
  ways.push_back(
      together(launch, grid, "to put together what parts change costs more: " + ways.front().why));
  weigh(launch, grid, ways);
  return ways;
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
  std::vector<LaunchPlan> plans, sharing;
  std::string why_not;
  for (const unsigned axis : axis_order(model, grid)) {
    const abi::ModelAxis& described = model.axes[axis];
    Attempt attempt = touch(launch, cut(grid, axis, described.granularity, speeds));
    if (attempt.parts.size() < 2) continue;
    const bool injective = described.legal && described.legal(launch.values());
    if (auto conflict = settle_conflicts(attempt, model, injective)) {
      if (why_not.empty()) why_not = std::move(*conflict);
      continue;
    }
    LaunchPlan plan = make_plan(attempt);
    const bool shares = plan.rung == Rung::reduction || plan.rung == Rung::scattered;
    (shares ? sharing : plans).push_back(std::move(plan));
  }
  if (plans.size() > 1) weigh(launch, grid, plans);
  if (!plans.empty()) return plans;
  if (!sharing.empty()) return sharing_ways(launch, grid, std::move(sharing));
  return stay(why_not.empty() ? "too few blocks" : why_not);
}

}  // namespace gridspan::runtime
