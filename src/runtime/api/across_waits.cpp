// Which waits the host could see the end of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/across_waits.h"

#include "runtime/api/runtime_state.h"

#include <algorithm>

namespace gridspan::runtime {
namespace {

/// Memory that kernels write and the host reads without a call.
bool host_may_look(const AllocationTable& table) {
  for (std::size_t kind = 0; kind < memory_kinds; ++kind)
    if (is_host_kind(static_cast<MemoryKind>(kind)) &&
        table.bytes(static_cast<MemoryKind>(kind)) != 0)
      return true;
  return false;
}

}  // namespace

Sequence AcrossWaits::wait_for(Runtime& state, Sequence sequence) const {
  if (!is_on_ || host_may_look(state.memory.table())) return sequence;
  return std::min(sequence, seen_.load(std::memory_order_acquire));
}

}  // namespace gridspan::runtime
