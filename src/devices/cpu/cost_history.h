// How long blocks of each kernel took lately: decides whether a launch is worth waking others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace gridspan::devices::cpu {

/// A small table by kernel; a collision forgets the older kernel, which costs one hand-off.
/// `record` may be called by several workers at once.
class CostHistory {
 public:
  /// Nanoseconds that `threads` threads of the kernel are expected to take on one core.
  std::optional<double> expect(const abi::Kernel& kernel, double threads) const;
  void record(const abi::Kernel& kernel, double threads, double nanoseconds);

 private:
  struct Entry {
    std::atomic<const abi::Kernel*> kernel = nullptr;
    std::atomic<float> nanoseconds_per_thread = 0;
  };
  static std::size_t slot(const abi::Kernel& kernel) {
    return (reinterpret_cast<std::uintptr_t>(&kernel) * 0x9e3779b97f4a7c15u) >> 56;
  }
  std::array<Entry, 256> entries_;
};

}  // namespace gridspan::devices::cpu
