// Chains of several slab sizes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/group_plan.h"

#include "support/readable_name.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gridspan::runtime::fuse {

namespace {

constexpr std::uint32_t least_most_units = 1024, units_per_worker = 32;
/// Less is not worth a step of its own, nor a place in the plan.
constexpr std::size_t least_unit_bytes = 64 << 10;
constexpr std::size_t least_gpu_unit_bytes = 512 << 10;
constexpr std::uint32_t test_units = 8;
/// What fits the caches stays there from launch to launch: nothing is to be gained.
constexpr double least_caches = 2;
/// Of what launches touch, the share that another one of the group touched before.
constexpr double least_shared = 0.1;
/// Sizes of slabs to be tried, in caches: a slab shares the cache with the edges of the slabs
/// before it.
constexpr std::array slab_caches = {0.5, 1.0};
/// Of all blocks, those that strips have to themselves. What lies between strips is done by few
/// workers, while the others wait.
constexpr double least_alone = 0.5;
/// More strips than workers, so that all end together.
constexpr std::uint32_t strips_per_worker = 4;
/// Of a GPU's last cache: its halves are apart, and have copies of what both read. On an H100 slabs
/// of half of it were best (docs/fusion.md).
constexpr double share_of_gpu_cache = 0.5;
/// Between two steps a GPU empties and fills again: that takes as long as its memory takes for so
/// much of its cache (on an H100 2 microseconds).
constexpr double share_of_gpu_step = 0.125;
/// Of a GPU's cache, for launches that are behind.
constexpr double most_behind = 0.8;
/// What the last cache gives is not for nothing.
constexpr double gain_in_gpu_cache = 0.5;
/// Of a core that does not tell.
constexpr std::uint32_t usual_cache_bytes = 1 << 20;

UnitSize unit_size(const ChainPolicy& policy) {
  if (policy.always) return {test_units, 0};
  if (policy.step_bytes != 0) return {least_most_units, least_gpu_unit_bytes};
  return {std::max(least_most_units, units_per_worker * policy.workers), least_unit_bytes};
}

/// Slabs of all launches that touch about `bytes` together.
std::uint32_t slab_units(const Effects& effects, double together, double bytes) {
  const auto units = static_cast<double>(effects.launches.front().units.size());
  return static_cast<std::uint32_t>(std::clamp(std::round(units * bytes / together), 1.0, units));
}

/// A strip loses a unit at each side with each launch, as a rule: it should be so wide that most of
/// it is left.
std::uint32_t strip_count(const Effects& effects, const ChainPolicy& policy) {
  if (policy.always) return 2;
  if (policy.workers == 1) return 1;
  const auto units = static_cast<std::uint32_t>(effects.launches.front().units.size());
  const auto launches = static_cast<std::uint32_t>(effects.launches.size());
  const std::uint32_t wide = units / (2 * launches);
  return std::min(units, std::clamp(wide, policy.workers, strips_per_worker * policy.workers));
}

struct FoundChains {
  std::vector<Chain> chains;
  bool are_dear = false;  // some are left out, with steps that cost more than they save
};

FoundChains chains_of(const Effects& effects, const UnitGraph& graph, const ChainPolicy& policy,
                      double together, double saved) {
  FoundChains found;
  const auto add = [&](const ChainCut& cut) {
    Chain chain = order_chain(effects, graph, cut);
    const std::size_t steps = step_count(chain);
    if (steps <= effects.launches.size()) return;
    const double cost = static_cast<double>(steps) * policy.step_bytes;
    if (policy.always || cost <= gain_in_gpu_cache * saved)
      found.chains.push_back(std::move(chain));
    else
      found.are_dear = true;
  };
  ChainCut cut{strip_count(effects, policy), 1};
  if (policy.always) {
    add(cut);
    return found;
  }
  std::uint32_t last = 0;
  for (const double caches : slab_caches) {
    cut.slab_units = slab_units(effects, together, caches * policy.cache_bytes);
    if (cut.slab_units != last) add(cut);
    last = cut.slab_units;
  }
  return found;
}

/// Why launches with these effects gain nothing in another order; empty: they may.
std::string reason_to_leave(const Effects& effects, const ChainPolicy& policy, GroupPlan& plan) {
  if (effects.launches.size() < 2) return "each needs all of the one before it";
  const TouchedBytes bytes = touched_bytes(effects);
  plan.saved_bytes = bytes.each - bytes.together;
  plan.touched_bytes = bytes.together;
  if (policy.always) return {};
  if (bytes.together < least_bytes(policy)) return "what they touch fits the cache";
  if (plan.saved_bytes < least_shared * bytes.each) return "they touch little memory in common";
  return {};
}

/// Strips lose units at their sides with each launch: fewer launches leave more of them.
bool are_wide(const std::vector<Chain>& chains, const ChainPolicy& policy) {
  return policy.always || policy.workers == 1 || chains.empty() ||
         share_of_first_phase(chains.front()) >= least_alone;
}

/// Each launch of a wavefront is a unit or more behind the one before it: what lies between the
/// first and the last one has to stay in the cache, too.
bool are_far_behind(const Effects& effects, const ChainPolicy& policy, double together) {
  if (policy.always || policy.step_bytes == 0) return false;
  const double unit = together / static_cast<double>(effects.launches.front().units.size());
  return static_cast<double>(effects.launches.size()) * unit > most_behind * policy.cache_bytes;
}

/// Fills the chains, of the first launches only where a chain of all would not do. Why there is
/// none, or nothing.
std::string plan_chains(Effects& effects, const ChainPolicy& policy, GroupPlan& plan) {
  const auto shorten = [&](std::size_t launches) {
    plan.launches = launches;
    plan.chains.clear();
    effects.launches.resize(launches);
    return reason_to_leave(effects, policy, plan);
  };
  const auto half = [&] { return std::max<std::size_t>(2, plan.launches / 2 & ~std::size_t{1}); };
  for (;;) {
    while (plan.launches > 2 && are_far_behind(effects, policy, plan.touched_bytes)) {
      std::string reason = shorten(half());
      if (!reason.empty()) return reason;
    }
    const UnitGraph graph = graph_of(effects);
    if (graph.first.size() < effects.launches.size()) {
      std::string reason = shorten(graph.first.size());
      if (!reason.empty()) return reason;
    }
    FoundChains found = chains_of(effects, graph, policy, plan.touched_bytes, plan.saved_bytes);
    plan.chains = std::move(found.chains);
    if (plan.chains.empty())
      return found.are_dear ? "steps would cost more than the cache gives"
                            : "each needs all of the one before it";
    if (are_wide(plan.chains, policy)) return {};
    if (plan.launches <= 2) {
      plan.chains.clear();
      return "strips would be too narrow for so many workers";
    }
    std::string reason = shorten(half());
    if (!reason.empty()) return reason;
  }
}

}  // namespace

double least_bytes(const ChainPolicy& policy) {
  return least_caches * policy.cache_bytes * policy.workers;
}

ChainPolicy policy_for(const devices::DeviceFacts& facts, bool always, std::string_view no_chains) {
  if (facts.gpu)
    return {1, share_of_gpu_cache * facts.l2_bytes, always, share_of_gpu_step * facts.l2_bytes,
            no_chains};
  const std::uint32_t cache = facts.core_cache_bytes;
  return {facts.workers, 1.0 * (cache != 0 ? cache : usual_cache_bytes), always, 0, no_chains};
}

static std::string why_not_in_parts(std::span<KernelCommand* const> launches,
                                    const ChainPolicy& policy) {
  if (!policy.code) return {};
  for (const KernelCommand* launch : launches) {
    const abi::Kernel& kernel = *launch->kernel;
    const std::string name = "'" + support::readable_name(kernel.name) + "': ";
    if (const std::string reason = policy.code->refusal(kernel, false); !reason.empty())
      return name + reason;
    const abi::Dim& block = launch->shape.block;
    if (block.x * block.y * block.z > policy.code->most_threads(kernel, false))
      return name + "there are not enough registers for a part of its grid";
  }
  return {};
}

/// Why there is none, or nothing.
static std::string find_chains(std::span<KernelCommand* const> launches,
                               const AllocationTable& allocations, const ChainPolicy& policy,
                               GroupPlan& plan) {
  if (std::string reason = why_not_in_parts(launches, policy); !reason.empty()) return reason;
  auto effects = effects_of(launches, allocations, unit_size(policy));
  if (!effects) return effects.error().message;
  plan.memory = effects->buffers;
  std::string reason = reason_to_leave(*effects, policy, plan);
  return reason.empty() ? plan_chains(*effects, policy, plan) : reason;
}

/// Chains of the launches that are left when kernels are made of several.
static std::vector<Chain> find_fused_chains(std::span<KernelCommand* const> launches,
                                            const AllocationTable& allocations,
                                            const ChainPolicy& policy, const FusedPlan& fused) {
  const std::vector<std::size_t> counts = launch_counts(fused, launches.size());
  const auto effects = effects_of(launches, allocations, unit_size(policy), counts);
  if (!effects) return {};
  GroupPlan bytes;
  if (!reason_to_leave(*effects, policy, bytes).empty()) return {};
  const UnitGraph graph = graph_of(*effects);
  if (graph.first.size() < effects->launches.size()) return {};
  std::vector<Chain> chains =
      chains_of(*effects, graph, policy, bytes.touched_bytes, bytes.saved_bytes).chains;
  return are_wide(chains, policy) ? chains : std::vector<Chain>();
}

const Chain* GroupPlan::chain(std::size_t way) const {
  if (way == 0 || way == first_fused()) return nullptr;
  return way < first_fused() ? &chains[way - 1] : &fused_chains[way - first_fused() - 1];
}

GroupPlan plan_group(std::span<KernelCommand* const> launches, const AllocationTable& allocations,
                     const ChainPolicy& policy, KernelFuser* fuser, bool loads) {
  GroupPlan plan;
  plan.launches = launches.size();
  plan.refusal = policy.no_chains.empty() ? find_chains(launches, allocations, policy, plan)
                                          : std::string(policy.no_chains);
  if (!plan.chains.empty()) launches = launches.first(plan.launches);
  if (fuser)
    plan.fused = loads ? plan_loaded(launches, allocations, *fuser)
                       : plan_fused(launches, allocations, *fuser);
  if (plan.has_kernels() || plan.fused.may_come_later) plan.launches = launches.size();
  if (plan.has_kernels()) {
    plan.memory = plan.fused.memory;
    if (policy.no_chains.empty())
      plan.fused_chains = find_fused_chains(launches, allocations, policy, plan.fused);
  }
  plan.trial = Trial(plan.ways());
  return plan;
}

}  // namespace gridspan::runtime::fuse
