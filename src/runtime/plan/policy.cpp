// Policies by name; plans that look at no memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/policy.h"

#include "runtime/plan/bound_launch.h"
#include "runtime/plan/cut.h"

namespace gridspan::runtime {

Policy policy_of(const support::Options& options) {
  const bool is_mekong = options.policy == support::PlanPolicy::mekong;
  const bool is_always = options.policy == support::PlanPolicy::always;
  const bool resolves = options.ablation != support::Ablation::patterns;
  return {.keeps_replicas = !is_mekong,
          .follows_patterns = !is_mekong,
          .weighs_work = !is_mekong && !is_always,
          .two_axes = is_mekong   ? TwoAxes::never
                      : is_always ? TwoAxes::always
                                  : TwoAxes::where_it_pays,
          .plans_for_bytes = is_always ? 0 : Policy().plans_for_bytes,
          .overlap = is_mekong   ? Overlap::never
                     : is_always ? Overlap::always
                                 : Overlap::where_it_pays,
          .times_parts = options.policy == support::PlanPolicy::usual &&
                         options.ablation == support::Ablation::none,
          .moves = resolves && options.ablation != support::Ablation::transfers,
          .resolves = resolves};
}

bool chooses_home(const support::Options& options) {
  const bool is_free =
      options.policy == support::PlanPolicy::usual || options.policy == support::PlanPolicy::random;
  return is_free && options.ablation == support::Ablation::none && options.copy_memory == 0;
}

bool is_planned(const support::Options& options, std::size_t devices) {
  return devices > 1 || options.policy == support::PlanPolicy::always;
}

LaunchPlan blind_plan(const BoundLaunch& launch, const abi::Dim& grid,
                      std::span<const std::uint32_t> speeds) {
  LaunchPlan plan;
  plan.why = "what it touches is left out";
  for (const unsigned axis : {2u, 1u, 0u}) {
    if (extent(grid, axis) < 2 || !launch.is_injective(axis)) continue;
    for (const CutPart& part : cut(grid, axis, launch.granularity(axis), speeds)) {
      plan.parts.push_back({part.device, part.blocks.first, part.blocks.count, {}});
    }
    plan.rung = Rung::exact;
    return plan;
  }
  plan.parts.push_back({0, {0, 0, 0}, grid, {}});
  return plan;
}

}  // namespace gridspan::runtime
