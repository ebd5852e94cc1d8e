// How long blocks of each kernel took lately: decides whether a launch is worth waking others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/cost_history.h"

namespace gridspan::devices::cpu {

std::optional<double> CostHistory::expect(const abi::Kernel& kernel, double threads) const {
  const Entry& entry = entries_[slot(kernel)];
  if (entry.kernel.load(std::memory_order_relaxed) != &kernel) return std::nullopt;
  return threads * entry.nanoseconds_per_thread.load(std::memory_order_relaxed);
}

void CostHistory::record(const abi::Kernel& kernel, double threads, double nanoseconds) {
  if (threads == 0) return;
  Entry& entry = entries_[slot(kernel)];
  entry.nanoseconds_per_thread.store(static_cast<float>(nanoseconds / threads),
                                     std::memory_order_relaxed);
  entry.kernel.store(&kernel, std::memory_order_relaxed);
}

}  // namespace gridspan::devices::cpu
