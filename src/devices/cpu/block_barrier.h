// The reductions of __syncthreads_count/_and/_or.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/launch.h"
#include "abi/sync.h"

#include <cstdint>

namespace gridspan::devices::cpu {

/// The kinds of barrier whose threads bring a predicate.
constexpr bool is_reduction(abi::SyncKind kind) {
  return kind == abi::SyncKind::barrier_count || kind == abi::SyncKind::barrier_and ||
         kind == abi::SyncKind::barrier_or;
}

/// What the threads that arrived at a barrier with a predicate have in common.
struct BarrierVotes {
  std::uint32_t voters = 0;
  std::uint32_t yes = 0;
  void add(std::uint64_t predicate) {
    ++voters;
    yes += predicate != 0 ? 1 : 0;
  }
  std::uint32_t result(abi::SyncKind kind) const;
};

/// All threads of the block wait at one barrier of this kind: performs its reduction.
void reduce_at_uniform_barrier(const abi::BlockContext& block, abi::SyncKind kind);

/// All threads still alive wait at block barriers, perhaps at different ones: performs the
/// reductions over the threads that brought a predicate. `kind_of(t, kind)` is false if thread t
/// has left the kernel, else it sets where it waits.
template <class KindOf>
void reduce_at_barriers(const abi::BlockContext& block, KindOf kind_of) {
  BarrierVotes votes;
  abi::SyncKind kind{};
  for (std::uint32_t t = 0; t < block.thread_count; ++t) {
    if (kind_of(t, kind) && is_reduction(kind)) votes.add(block.sync_value[t]);
  }
  if (votes.voters == 0) return;
  for (std::uint32_t t = 0; t < block.thread_count; ++t) {
    if (kind_of(t, kind) && is_reduction(kind)) block.sync_value[t] = votes.result(kind);
  }
}

}  // namespace gridspan::devices::cpu
