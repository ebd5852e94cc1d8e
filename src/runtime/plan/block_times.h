// How long blocks of each kernel took lately on CPU devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To wake another thread takes as long as a small part does. Who runs a part changes no result, so
// that may depend on time; the parts themselves do not.
#pragma once

#include "abi/module.h"

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <unordered_map>

namespace gridspan::runtime {

/// Of one kernel. Noted by whoever runs parts.
class BlockTime {
 public:
  void note(std::chrono::nanoseconds took, double blocks) {
    const auto each = static_cast<float>(static_cast<double>(took.count()) / blocks);
    const float before = nanoseconds_.load(std::memory_order_relaxed);
    nanoseconds_.store(before == 0 ? each : before + (each - before) / 4,
                       std::memory_order_relaxed);
  }
  /// Nanoseconds that so many blocks are likely to take; infinity if none has run.
  double expect(double blocks) const {
    const float each = nanoseconds_.load(std::memory_order_relaxed);
    return each == 0 ? std::numeric_limits<double>::infinity() : each * blocks;
  }

 private:
  std::atomic<float> nanoseconds_{0};  // a block
};

/// For the one thread that plans.
class BlockTimes {
 public:
  std::shared_ptr<BlockTime> of(const abi::Kernel& kernel) {
    std::shared_ptr<BlockTime>& known = all_[&kernel];
    if (!known) known = std::make_shared<BlockTime>();
    return known;
  }

 private:
  std::unordered_map<const abi::Kernel*, std::shared_ptr<BlockTime>> all_;
};

}  // namespace gridspan::runtime
