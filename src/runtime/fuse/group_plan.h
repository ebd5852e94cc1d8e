// What is known of one sequence of launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device_code.h"
#include "devices/device_facts.h"
#include "runtime/fuse/chain.h"
#include "runtime/fuse/fused_plan.h"
#include "runtime/fuse/trial.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::runtime::fuse {

/// When launches are chained.
struct ChainPolicy {
  unsigned workers = 1;
  double cache_bytes = 0;  // that each of them finds in a cache of its own
  /// Chains whatever it costs, in as many steps as tests want.
  bool always = false;
  /// What another step of a chain costs, as bytes that memory moves meanwhile: on a GPU.
  double step_bytes = 0;
  std::string_view no_chains = {};      // why only kernels are made of several; empty: chains, too
  devices::DeviceCode* code = nullptr;  // is asked whether it runs parts of grids; null: it does
};

/// For the caches and workers of a device. A GPU is one worker: a step of a chain is for all of it,
/// and its last cache for the slabs.
ChainPolicy policy_for(const devices::DeviceFacts& facts, bool always,
                       std::string_view no_chains = {});

/// Launches that touch less find it in the cache anyway.
double least_bytes(const ChainPolicy& policy);

struct GroupPlan {
  std::vector<Allocation> memory;  // that boxes were computed for
  // Ways of the trial: 0: one after the other; then chains; if there are kernels, those in order
  // and then as chains.
  std::vector<Chain> chains;
  FusedPlan fused;
  std::vector<Chain> fused_chains;
  /// That the plan is for, from the first on: the next one needs all that they do.
  std::size_t launches = 0;
  std::string refusal;  // why there is no chain
  Trial trial{1};
  bool has_kernels() const { return !fused.kernels.empty(); }
  std::size_t first_fused() const { return 1 + chains.size(); }
  std::size_t ways() const { return first_fused() + (has_kernels() ? 1 + fused_chains.size() : 0); }
  /// Way of the trial; null: launches one after the other.
  const Chain* chain(std::size_t way) const;
  void leave_out_kernels() {
    fused.kernels.clear();
    fused_chains.clear();
    trial = Trial(ways());
  }
  double saved_bytes = 0;    // by a chain, at most: read again, and by then in the cache
  double touched_bytes = 0;  // by all together
};

/// Takes milliseconds: footprints of up to a thousand units of each launch. `fuser`: null if
/// no kernels are to be made of several. If it `loads`, their code is there, too.
GroupPlan plan_group(std::span<KernelCommand* const> launches, const AllocationTable& allocations,
                     const ChainPolicy& policy, KernelFuser* fuser, bool loads);

}  // namespace gridspan::runtime::fuse
