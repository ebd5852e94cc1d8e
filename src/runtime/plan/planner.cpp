// The ladder, at one launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/planner.h"

#include "runtime/plan/attempt.h"
#include "runtime/plan/attempt_plan.h"
#include "runtime/plan/bound_launch.h"
#include "runtime/plan/conflicts.h"
#include "runtime/plan/cross_cut.h"
#include "runtime/plan/follow.h"
#include "runtime/plan/plan_cost.h"
#include "runtime/plan/split.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace gridspan::runtime {

namespace {

/// What the host sees happen.
constexpr std::uint32_t shows_order = abi::obstacle_printf | abi::obstacle_trap;

/// What the model looks at.
void append_arguments(const KernelCommand& command, std::string& key) {
  const abi::Kernel& kernel = *command.kernel;
  if (!kernel.model) return;
  const abi::KernelModel& model = *kernel.model;
  const auto append_argument = [&](std::int32_t argument, std::uint32_t offset, std::size_t size) {
    const std::byte* const from = command.arguments.bytes() + kernel.parameters[argument].offset;
    key.append(reinterpret_cast<const char*>(from) + offset, size);
  };
  for (std::uint32_t i = 0; i < model.scalar_count; ++i) {
    const abi::ModelScalar& scalar = model.scalars[i];
    append_argument(static_cast<std::int32_t>(scalar.argument), scalar.offset, scalar.bytes);
  }
  for (std::uint32_t i = 0; i < model.array_count; ++i) {
    const abi::ModelArray& array = model.arrays[i];
    if (array.argument >= 0) append_argument(array.argument, array.offset, sizeof(void*));
  }
}

/// Everything a plan depends on, as bytes. Of the arguments that is what the model looks at:
/// programs that count their steps, or change a factor, launch what is planned already.
void write_key(const KernelCommand& command, std::string& key) {
  const auto append = [&key](const auto& value) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers the address is meant
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  key.clear();
  append(command.kernel);
  append(command.symbols.addresses);
  append(command.shape.grid);
  append(command.shape.block);
  append_arguments(command, key);
  for (const MemberLaunch& member : command.members) append_arguments(*member.launch, key);
}

std::vector<PointerArgument> pointer_arguments(const BoundLaunch& launch) {
  std::vector<PointerArgument> pointers;
  for (const BoundArray& bound : launch.arrays()) {
    if (!bound.buffer || bound.buffer->is_shared || bound.pointer_at < 0) continue;
    const auto offset = static_cast<std::uint32_t>(bound.pointer_at);
    const bool known = std::ranges::any_of(
        pointers, [&](const PointerArgument& pointer) { return pointer.offset == offset; });
    if (!known) pointers.push_back({offset, bound.buffer});
  }
  return pointers;
}

LaunchPlan everything_at_home(const KernelCommand& command, std::string why) {
  LaunchPlan plan;
  plan.why = std::move(why);
  plan.parts.push_back({0, {0, 0, 0}, command.shape.grid, {}});
  plan.touches_everything = true;
  plan.keeps_order = true;
  return plan;
}

/// Whether parts use a buffer that is not among `buffers`, whose states recipes know.
bool uses_others(const LaunchPlan& plan, const std::vector<VirtualBuffer*>& buffers) {
  return std::ranges::any_of(plan.parts, [&](const PartPlan& part) {
    return std::ranges::any_of(part.uses, [&](const BufferUse& use) {
      return std::ranges::count(buffers, use.buffer) == 0;
    });
  });
}

const char* hidden_memory_text(std::uint32_t obstacles) {
  if (obstacles & abi::obstacle_loaded_pointer) return "goes through a pointer loaded from memory";
  if (obstacles & abi::obstacle_unknown_pointer)
    return "goes through a pointer that is not followed";
  if (obstacles & abi::obstacle_device_malloc) return "allocates memory on the device";
  if (obstacles & abi::obstacle_call) return "calls a function that is not analysed";
  if (obstacles & abi::obstacle_assembly) return "contains assembly";
  return "is too complex for the limits of the analysis";
}

}  // namespace

std::shared_ptr<LaunchPlans> Planner::plan(const KernelCommand& command) {
  write_key(command, key_);
  if (times_) {
    times_->look();
    const std::uint32_t version = times_->version(*command.kernel);
    key_.append(reinterpret_cast<const char*>(&version), sizeof version);
  }
  const auto known = plans_.find(key_);
  if (known != plans_.end()) return known->second;
  ++made_;
  if (plans_.size() >= most_plans) {
    plans_.erase(*order_.front());
    order_.pop_front();
  }
  auto plans = std::make_shared<LaunchPlans>();
  plans->ways = make(command);
  plans->ways.reserve(plans->ways.size() + 2);  // recipes point to them when some are added
  for (const LaunchPlan& way : plans->ways) {
    for (const PartPlan& part : way.parts) {
      for (const BufferUse& use : part.uses) {
        if (std::ranges::count(plans->buffers, use.buffer) == 0)
          plans->buffers.push_back(use.buffer);
      }
    }
  }
  const auto place = plans_.emplace(key_, std::move(plans)).first;
  order_.push_back(&place->first);
  return place->second;
}

/// What is known of the kernel does not do for a plan; empty: it does.
std::string Planner::why_not_planned(const KernelCommand& command) {
  const abi::KernelModel* const model = command.kernel->model;
  if (!model) return command.members.empty() ? "has no model" : "";
  // Launches that hide memory are never members of one kernel.
  const std::uint32_t hidden = model->obstacles & abi::hides_memory;
  return hidden ? hidden_memory_text(hidden) : "";
}

std::vector<LaunchPlan> Planner::make(const KernelCommand& command) const {
  std::string why = why_not_planned(command);
  if (why.empty() && refusal_) why = refusal_(*command.kernel, command.shape.block);
  if (!why.empty()) return {everything_at_home(command, std::move(why))};
  return likely_ways(command);
}

std::vector<LaunchPlan> Planner::likely_ways(const KernelCommand& command) const {
  if (std::string why = why_not_planned(command); !why.empty())
    return {everything_at_home(command, std::move(why))};
  const BoundLaunch launch(command, buffers_);
  if (!launch.knows_all_memory()) {
    return {everything_at_home(command, "is given memory that was not allocated for the device")};
  }
  const abi::Dim& grid = command.shape.grid;
  std::vector<LaunchPlan> plans =
      policy_.resolves ? split(launch, grid, machine_for(command), policy_.weighs_work)
                       : std::vector{blind_plan(launch, grid, machine_.speeds())};
  for (LaunchPlan& plan : plans) complete(plan, launch);
  return plans;
}

Machine Planner::machine_for(const KernelCommand& command) const {
  return times_ ? times_->machine_for(*command.kernel) : machine_;
}

/// Fills in what is the same in all ways to run a launch.
void Planner::complete(LaunchPlan& plan, const BoundLaunch& launch) {
  const bool uses_shared = std::ranges::any_of(launch.arrays(), [](const BoundArray& bound) {
    return bound.buffer && bound.buffer->is_shared;
  });
  plan.pointers = pointer_arguments(launch);
  plan.keeps_order = uses_shared || (launch.obstacles() & shows_order) != 0;
}

bool Planner::add_following(LaunchPlans& plans, const LaunchPlan& way,
                            const KernelCommand& command) const {
  if (std::exchange(plans.knows_following, true) || plans.has_crossing) return false;
  if (way.parts.size() < 2 || (way.rung != Rung::exact && way.rung != Rung::may_write))
    return false;
  const BoundLaunch launch(command, buffers_);
  const abi::Dim& grid = command.shape.grid;
  const unsigned axis = axis_of(way, grid);
  std::vector<CutPart> parts = following_parts(way, grid, launch.granularity(axis));
  if (parts.empty()) return false;
  Attempt attempt = touch(launch, std::move(parts));
  if (settle_conflicts(attempt, launch.obstacles(), launch.is_injective(axis))) return false;
  LaunchPlan following = make_plan(attempt);
  if (following.rung != way.rung || uses_others(following, plans.buffers)) return false;
  complete(following, launch);
  following.follows = true;
  following.is_little = way.is_little;
  plans.ways.push_back(std::move(following));
  weigh(work_profile(launch, grid), grid, machine_for(command), plans.ways);
  return true;
}

void Planner::add_crossing(LaunchPlans& plans, const KernelCommand& command) const {
  if (plans.knows_crossing || policy_.two_axes == TwoAxes::never) return;
  plans.knows_crossing = true;
  const bool is_free = std::ranges::all_of(plans.ways, [](const LaunchPlan& way) {
    return way.rung == Rung::exact || way.rung == Rung::may_write;
  });
  const auto splits = [](const LaunchPlan& way) { return way.parts.size() > 1 && !way.follows; };
  if (std::ranges::count_if(plans.ways, splits) < 2 || !is_free) return;
  const BoundLaunch launch(command, buffers_);
  const abi::Dim& grid = command.shape.grid;
  const Machine machine = machine_for(command);
  std::optional<LaunchPlan> crossing =
      cross_cut(launch, grid, machine, plans.ways, policy_.two_axes == TwoAxes::always);
  if (!crossing || uses_others(*crossing, plans.buffers)) return;
  complete(*crossing, launch);
  crossing->is_little = plans.ways.front().is_little;
  plans.ways.push_back(std::move(*crossing));
  plans.has_crossing = true;
  weigh(work_profile(launch, grid), grid, machine, plans.ways);
}

}  // namespace gridspan::runtime
