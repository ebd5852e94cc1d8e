// Interpret mode: finds misuse of barriers, warp operations and shared memory in one block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/fiber_stacks.h"
#include "devices/cpu/misuse_log.h"
#include "devices/cpu/part.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::devices::cpu {

/// A NaN as float and as double, an unlikely number as anything else.
inline constexpr std::uint32_t shared_poison = 0xfff5a5a5;

class FiberChecks {
 public:
  explicit FiberChecks(MisuseLog& log) : log_(log) {}

  /// A block starts: its shared memory is poisoned and counts as unwritten.
  void start(Part& part, abi::BlockContext& block, std::uint64_t shared_bytes);

  /// A thread is about to read or write memory.
  void access(Fiber& fiber, const void* address, std::uint64_t size, bool is_store,
              const abi::SourcePoint* where);
  /// A thread is about to wait at a warp operation.
  void warp_operation(const Fiber& fiber, std::uint32_t mask);
  /// A block barrier is about to be released: everybody should wait at the same one.
  void barrier(const std::vector<Fiber*>& fibers);
  /// Nobody can go on: is it because lanes disagree about a mask? Reports the first such pair.
  bool masks_disagree(const std::vector<Fiber*>& fibers);

 private:
  std::string thread_text(const Fiber& fiber) const;

  MisuseLog& log_;
  Part* part_ = nullptr;
  abi::BlockContext* block_ = nullptr;
  std::vector<std::uint8_t> written_;  // one per byte of shared memory
};

}  // namespace gridspan::devices::cpu
