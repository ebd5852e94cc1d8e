// The cheapest division of a group, as far as kernels are to be had.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/fused_plan.h"

#include "runtime/fuse/forecast.h"
#include "runtime/fuse/group_bytes.h"
#include "runtime/fuse/group_key.h"
#include "runtime/fuse/move_kernels.h"
#include "runtime/fuse/refusal.h"
#include "runtime/fuse/step_maker.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace gridspan::runtime::fuse {

namespace {

/// Footprints of parts that are looked at for a pair of launches: who makes the kernel proves that
/// it is legal, so this only leaves out what is not worth asking for.
constexpr std::size_t most_pair_looks = 512;

/// Why not, or nothing. Threads that wait for each other, or share other memory than the device's,
/// are not followed.
std::string why_not_alone(const KernelCommand& command, const GroupStep& step) {
  const abi::Kernel& kernel = *command.kernel;
  constexpr std::uint32_t waits = abi::kernel_has_block_sync | abi::kernel_has_warp_sync |
                                  abi::kernel_needs_fibers | abi::kernel_waits_in_loops;
  if (!step.chain_refusal.empty()) return step.chain_refusal;
  if (moved_bytes(command)) return step.name + " is part of no kernel";
  if (!kernel.module || !kernel.module->container)
    return "no bitcode of '" + step.name + "' is at hand" + at_line(kernel);
  if ((kernel.flags & waits) != 0)
    return "threads of '" + step.name + "' wait for each other" + at_line(kernel);
  if (kernel.static_shared != 0 || command.shape.dynamic_shared != 0)
    return "'" + step.name + "' uses shared memory" + at_line(kernel);
  return {};
}

class Planner {
 public:
  Planner(std::span<KernelCommand* const> launches, const AllocationTable& allocations,
          KernelFuser& fuser, const std::set<const abi::Kernel*>& unfit)
      : launches_(launches),
        allocations_(allocations),
        fuser_(fuser),
        unfit_(unfit),
        maker_(allocations),
        key_(launches, allocations),
        steps_(steps_of(launches, maker_)) {}

  FusedPlan run() {
    const GroupBytes bytes(steps_, nothing_freed_);
    const Forecast all = forecast(
        steps_, nothing_freed_,
        [this](std::size_t earlier, std::size_t later) { return answer(earlier, later); },
        [](std::size_t, std::size_t) { return std::string(); });
    for (const GroupStep& step : steps_.steps)
      if (!step.refusal.empty()) refuse_once(step.refusal);
    for (const ForecastGroup& group : all.groups) {
      for (std::size_t i = group.first; i + 1 < group.end; ++i)
        if (group.apart[i - group.first].empty() && !are_one(group, i) && !pays(bytes, i))
          refuse_once(why_no_gain(i));
      for (const std::string& reason : group.apart)
        if (!reason.empty()) plan_.refusals.push_back(reason);
      for (const ForecastKernel& kernel : group.kernels)
        if (kernel.before.empty()) add(bytes, kernel.first, kernel.end);
    }
    for (const StepBuffer& buffer : steps_.buffers) plan_.memory.push_back(buffer.allocation);
    return std::move(plan_);
  }

 private:
  static Steps steps_of(std::span<KernelCommand* const> launches, StepMaker& maker) {
    for (const KernelCommand* launch : launches) maker.add(*launch);
    return maker.take();
  }

  void refuse_once(const std::string& reason) {
    if (std::ranges::find(plan_.refusals, reason) == plan_.refusals.end())
      plan_.refusals.push_back(reason);
  }

  /// The launch and the next one, as part of a kernel.
  static bool are_one(const ForecastGroup& group, std::size_t first) {
    return std::ranges::any_of(group.kernels, [&](const ForecastKernel& kernel) {
      return kernel.first <= first && first + 1 < kernel.end;
    });
  }

  /// The same, as one kernel of their own.
  static bool pays(const GroupBytes& bytes, std::size_t first) {
    const auto apart = static_cast<double>(bytes.apart(first) + bytes.apart(first + 1));
    return static_cast<double>(bytes.glued(first, first + 2)) <= (1 - least_gain) * apart;
  }

  std::string why_no_gain(std::size_t first) const {
    return "'" + steps_.steps[first].name + "' and '" + steps_.steps[first + 1].name +
           "' would move about as many bytes as one kernel" +
           at_lines(*launches_[first]->kernel, *launches_[first + 1]->kernel);
  }

  /// What is known without looking at memory.
  std::string why_not_one(std::size_t earlier, std::size_t later) const {
    const KernelCommand &first = *launches_[earlier], &second = *launches_[later];
    const GroupStep &one = steps_.steps[earlier], &other = steps_.steps[later];
    const std::string names = "'" + one.name + "' and '" + other.name + "'";
    const std::string places = at_lines(*first.kernel, *second.kernel);
    if (std::string reason = why_not_alone(first, one); !reason.empty()) return reason;
    if (std::string reason = why_not_alone(second, other); !reason.empty()) return reason;
    if (first.kernel->module != second.kernel->module)
      return names + " are in different objects (-rdc=true, and a device link, join them)" + places;
    if (!are_equal(first.shape.grid, second.shape.grid) ||
        !are_equal(first.shape.block, second.shape.block))
      return names + " have different grids or blocks" + places;
    return {};
  }

  /// Sequences repeat themselves: pairs of the same launches have one answer.
  OneKernel answer(std::size_t earlier, std::size_t later) {
    if (std::string reason = why_not_one(earlier, later); !reason.empty()) return {false, reason};
    const auto [at, is_new] = answers_.try_emplace({key_.launch(earlier), key_.launch(later)});
    if (is_new) at->second = one_kernel(steps_, earlier, later, most_pair_looks);
    return at->second.gave_up ? OneKernel{true, {}, false} : at->second;
  }

  /// The longest part of [first, end) that there is a kernel for, then the rest. While one is being
  /// made, no shorter one is asked for.
  void add(const GroupBytes& bytes, std::size_t first, std::size_t end) {
    while (end - first > 1) {
      std::size_t last = end;
      abi::FuseState state = abi::FuseState::refused;
      for (; last - first > 1 && state == abi::FuseState::refused; last -= 1)
        state = add_kernel(bytes, first, last);
      first = state == abi::FuseState::refused ? first + 1 : last + 1;
    }
  }

  abi::FuseState add_kernel(const GroupBytes& bytes, std::size_t first, std::size_t end) {
    const auto part = launches_.subspan(first, end - first);
    CommonValues values = common_values(part);
    const TouchedMemory touched = touched_memory(part, values, allocations_);
    if (!touched.refusal.empty()) {
      plan_.refusals.push_back(touched.refusal);
      return abi::FuseState::refused;
    }
    const std::vector<unsigned> dead = dead_values(touched, bytes.dead_buffers(first, end));
    for (const bool drops : {true, false}) {
      if (drops && dead.empty()) continue;
      values.launches.dead = drops ? dead : std::vector<unsigned>();
      const FusedAnswer answer = fuser_.fuse(*part.front()->kernel->module, values.launches);
      if (answer.state == abi::FuseState::refused || unfit_.contains(answer.kernel)) continue;
      std::vector<CommonValues::Source> sources = sources_of(answer.launches);
      if (answer.state == abi::FuseState::made && !takes(*answer.kernel, part, sources)) continue;
      plan_.may_come_later |= answer.state == abi::FuseState::absent;
      if (answer.state == abi::FuseState::made) {
        plan_.kernels.push_back(
            {first, end - first, answer.kernel, std::move(sources), answer.launches});
        plan_.saved_bytes -= static_cast<double>(bytes.glued(first, end));
        for (std::size_t i = first; i < end; ++i)
          plan_.saved_bytes += static_cast<double>(bytes.apart(i));
      }
      return answer.state;
    }
    return abi::FuseState::refused;
  }

  /// Its parameters have the sizes of the launches' arguments.
  static bool takes(const abi::Kernel& kernel, std::span<KernelCommand* const> part,
                    const std::vector<CommonValues::Source>& sources) {
    if (kernel.parameter_count != sources.size()) return false;
    for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
      const auto [launch, parameter] = sources[i];
      if (kernel.parameters[i].size != part[launch]->kernel->parameters[parameter].size)
        return false;
    }
    return true;
  }

  /// Numbers of pointers with which nothing is written but to buffers of which all that is written
  /// is dead.
  std::vector<unsigned> dead_values(const TouchedMemory& touched,
                                    const std::vector<bool>& dead_buffers) const {
    const auto is_dead = [&](std::uintptr_t base) {
      const auto at = std::ranges::find(steps_.buffers, base,
                                        [](const StepBuffer& one) { return one.allocation.base; });
      return at != steps_.buffers.end() &&
             dead_buffers[static_cast<std::size_t>(at - steps_.buffers.begin())];
    };
    std::vector<unsigned> dead;
    for (unsigned number = 0; number < touched.buffers.size(); ++number) {
      const auto& bases = touched.buffers[number];
      if (!bases.empty() && std::ranges::all_of(bases, is_dead)) dead.push_back(number);
    }
    return dead;
  }

  std::span<KernelCommand* const> launches_;
  const AllocationTable& allocations_;
  KernelFuser& fuser_;
  const std::set<const abi::Kernel*>& unfit_;
  StepMaker maker_;
  GroupKey key_;
  Steps steps_;
  const std::set<std::uintptr_t> nothing_freed_;
  std::map<std::pair<std::string_view, std::string_view>, OneKernel> answers_;
  FusedPlan plan_;
};

}  // namespace

static FusedPlan plan_without(const std::set<const abi::Kernel*>& unfit,
                              std::span<KernelCommand* const> launches,
                              const AllocationTable& allocations, KernelFuser& fuser) {
  if (!fuser.is_ready()) {
    FusedPlan later;
    later.may_come_later = true;
    return later;
  }
  const bool may_fuse = std::ranges::any_of(launches, [&](const KernelCommand* launch) {
    return launch->kernel->module && fuser.may_fuse(*launch->kernel->module);
  });
  return may_fuse ? Planner(launches, allocations, fuser, unfit).run() : FusedPlan();
}

FusedPlan plan_fused(std::span<KernelCommand* const> launches, const AllocationTable& allocations,
                     KernelFuser& fuser) {
  return plan_without({}, launches, allocations, fuser);
}

FusedPlan plan_loaded(std::span<KernelCommand* const> launches, const AllocationTable& allocations,
                      KernelFuser& fuser) {
  std::set<const abi::Kernel*> unfit;
  while (true) {
    FusedPlan plan = plan_without(unfit, launches, allocations, fuser);
    plan.is_loaded = true;
    for (const FusedKernel& one : plan.kernels)
      if (!fuser.load(*one.kernel, launches.subspan(one.first, one.count))) {
        unfit.insert(one.kernel);
        plan.is_loaded = false;
      }
    if (plan.is_loaded) return plan;
  }
}

bool have_same_kernels(const FusedPlan& one, const FusedPlan& other) {
  return std::ranges::equal(one.kernels, other.kernels, [](const auto& a, const auto& b) {
    return a.first == b.first && a.count == b.count && a.kernel == b.kernel;
  });
}

std::vector<std::size_t> launch_counts(const FusedPlan& plan, std::size_t launches) {
  std::vector<std::size_t> counts;
  auto next = plan.kernels.begin();
  for (std::size_t i = 0; i < launches; i += counts.back())
    counts.push_back(next != plan.kernels.end() && next->first == i ? (next++)->count : 1);
  return counts;
}

KernelCommand fused_command(std::span<KernelCommand* const> group, const FusedKernel& fused) {
  std::vector<void*> values;
  values.reserve(fused.sources.size());
  for (const auto& [launch, parameter] : fused.sources) {
    KernelCommand& command = *group[fused.first + launch];
    values.push_back(command.arguments.bytes() + command.kernel->parameters[parameter].offset);
  }
  const KernelCommand& first = *group[fused.first];
  return {*fused.kernel, first.symbols, first.shape, values.data()};
}

std::vector<MemberLaunch> members_of(std::span<KernelCommand* const> group,
                                     const FusedKernel& fused) {
  std::vector<MemberLaunch> members;
  members.reserve(fused.count);
  for (std::size_t i = 0; i < fused.count; ++i)
    members.push_back(
        {group[fused.first + i], fused.launches.launches[i].values, fused.launches.dead});
  return members;
}

}  // namespace gridspan::runtime::fuse
