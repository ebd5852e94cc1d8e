// Blocks of a part that have begun and not ended, on all workers together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/residency.h"

#include "devices/cpu/cpu_device.h"

#include <algorithm>

namespace gridspan::devices::cpu {

Residency::Residency(const Part& part, unsigned workers) {
  const std::uint32_t threads = std::max(1u, part.threads_per_block());
  most_ = workers * std::max(1u, std::min(max_resident_blocks, max_resident_threads / threads));
}

bool Residency::reserve() {
  std::uint32_t count = resident_.load(std::memory_order_relaxed);
  do {
    if (count >= most_) return false;
  } while (!resident_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed));
  return true;
}

}  // namespace gridspan::devices::cpu
