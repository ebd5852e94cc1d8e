// Interpret mode: finds misuse of barriers, warp operations and shared memory in one block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/fiber_stacks.h"
#include "devices/cpu/memory_checks.h"
#include "devices/cpu/misuse_log.h"
#include "devices/cpu/part.h"
#include "devices/cpu/shared_races.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::devices::cpu {

/// A NaN as float and as double, an unlikely number as anything else.
inline constexpr std::uint32_t shared_poison = 0xfff5a5a5;

class FiberChecks {
 public:
  explicit FiberChecks(MisuseLog& log) : log_(log), choice_(log.choice()) {
    if (choice_.memory != nullptr) memory_.emplace(log);
  }

  /// A block starts: its shared memory is poisoned and counts as unwritten.
  void start(Part& part, abi::BlockContext& block, std::uint64_t shared_bytes);

  /// There is nothing to do about this access.
  bool passes(const Access& access) { return memory_ && memory_->passes(access); }
  /// A thread is about to read or write memory.
  void access(Fiber& fiber, const Access& access);
  /// Accesses that nothing is to be done about: BlockContext::good_places.
  const abi::GoodPlaces* good_places() const;
  /// The same through a pointer that leads into a variable (gridspan_check_variable).
  void variable_access(Fiber& fiber, const Access& access, const void* base, std::uint64_t bytes) {
    if (memory_)
      memory_->variable_access(fiber, access, reinterpret_cast<std::uintptr_t>(base), bytes);
  }
  /// The thread that ran has stopped.
  void stopped() {
    report(races_.settle());
    if (memory_) memory_->settle();
  }
  /// Threads are about to be released from where they waited for each other.
  void release_block(const std::vector<Fiber*>& fibers);
  void release_lanes(std::uint32_t first_thread, std::uint32_t lanes);
  void release_some() { races_.tick(); }
  void release(std::uint32_t thread) {
    races_.pass_block(thread);
    if (memory_) memory_->pass_all(thread);
  }
  /// A thread is about to make an access that orders what others did before.
  void synchronise(std::uint32_t thread);
  /// A thread is about to fence off what it did before from what comes, for all blocks.
  void fence(std::uint32_t thread) {
    if (memory_) memory_->fence(thread);
  }
  /// A thread is about to wait at a warp operation.
  void warp_operation(const Fiber& fiber, std::uint32_t mask);
  /// A block barrier is about to be released: everybody should wait at the same one.
  void barrier(const std::vector<Fiber*>& fibers);
  /// Nobody can go on: is it because lanes disagree about a mask? Reports the first such pair.
  bool masks_disagree(const std::vector<Fiber*>& fibers);

 private:
  void early_exits(const std::vector<Fiber*>& fibers);
  std::string thread_text(const Fiber& fiber) const;
  std::string thread_index(std::uint32_t thread) const;
  void report(const std::optional<SharedRace>& race);

  MisuseLog& log_;
  const CheckChoice& choice_;
  Part* part_ = nullptr;
  abi::BlockContext* block_ = nullptr;
  std::vector<std::uint8_t> written_;  // one per byte of shared memory
  SharedRaces races_;
  std::optional<MemoryChecks> memory_;
};

}  // namespace gridspan::devices::cpu
