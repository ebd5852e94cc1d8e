// The reductions of __syncthreads_count/_and/_or.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/block_barrier.h"

namespace gridspan::devices::cpu {

std::uint32_t BarrierVotes::result(abi::SyncKind kind) const {
  switch (kind) {
    case abi::SyncKind::barrier_count:
      return yes;
    case abi::SyncKind::barrier_and:
      return yes == voters ? 1 : 0;
    case abi::SyncKind::barrier_or:
      return yes != 0 ? 1 : 0;
    default:
      return 0;
  }
}

void reduce_at_uniform_barrier(const abi::BlockContext& block, abi::SyncKind kind) {
  if (!is_reduction(kind)) return;
  BarrierVotes votes;
  votes.voters = block.thread_count;
  for (std::uint32_t t = 0; t < block.thread_count; ++t) {
    votes.yes += block.sync_value[t] != 0 ? 1 : 0;
  }
  const std::uint64_t result = votes.result(kind);
  for (std::uint32_t t = 0; t < block.thread_count; ++t) block.sync_value[t] = result;
}

}  // namespace gridspan::devices::cpu
