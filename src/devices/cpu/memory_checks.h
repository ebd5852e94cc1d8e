// Interpret mode: each access against what is allocated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that touches what it may not has left the kernel before it does. The others go on to the
// end of their blocks, so that one launch shows all such places; then it fails as on a GPU. Reads
// of what nobody wrote, and races, are only told.
#pragma once

#include "abi/services.h"
#include "devices/cpu/constant_data.h"
#include "devices/cpu/fiber_stacks.h"
#include "devices/cpu/global_races.h"
#include "devices/cpu/misuse_log.h"
#include "devices/cpu/part.h"
#include "devices/memory_map.h"
#include "devices/written_bytes.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::devices::cpu {

/// An access as it is announced; `kind` is a sum of abi::access_*.
struct Access {
  std::uintptr_t begin;
  std::uint64_t size;
  std::uint32_t kind;
  const abi::SourcePoint* where;
  std::uint32_t slot = abi::no_slot;
};

/// Of one block.
class MemoryChecks {
 public:
  /// `log` says what is wanted, a memory map among it.
  explicit MemoryChecks(MisuseLog& log)
      : map_(*log.choice().memory),
        written_(written_bytes.load(std::memory_order_relaxed)),
        races_(log.choice().global_races ? &log.global_races() : nullptr),
        checks_bounds_(log.choice().bounds) {}

  /// A block starts.
  void start(Part& part, const abi::BlockContext& block, std::uint64_t shared_bytes);

  /// An access of memory that the same place in the code touched last, where nothing else is to be
  /// looked for: the usual case, and cheap.
  bool passes(const Access& access) {
    const KnownMemory* const guess = recent_[slot(access.where)];
    const bool does = is_quick_ && guess != nullptr && guess->holds(access.begin, access.size) &&
                      is_aligned(access);
    if (does) remember(*guess, access.slot);
    return does;
  }
  /// An access that is not of the block's shared memory.
  void access(Fiber& fiber, const Access& access) {
    const KnownMemory* const guess = recent_[slot(access.where)];
    const bool is_good =
        guess != nullptr && guess->holds(access.begin, access.size) && is_aligned(access);
    if (!is_good && !look_up(fiber, access)) return;
    if (written_ != nullptr) check_written(fiber, access);
    if (races_ != nullptr) check_race(fiber, access);
  }
  /// What `passes` lets pass, for code that looks itself.
  const abi::GoodPlaces* good_places() const { return good_.data(); }
  /// To be called before the next access, and when the thread stops: what it stored is there now.
  void settle() {
    if (store_.fiber != nullptr) settle_store();
    if (synchronising_) settle_synchronisation();
  }
  // Who is released, as SharedRaces is told.
  void release_block(const std::vector<Fiber*>& fibers, bool is_grid);
  void release_lanes(std::uint32_t first_thread, std::uint32_t lanes);
  void pass_all(std::uint32_t thread) {
    if (races_ != nullptr) order_.pass_all(thread, races_->tick());
  }
  /// An atomic or volatile access comes next. What other workers do up to then counts as well, so
  /// the order is that of the time when it is done.
  void synchronise(std::uint32_t thread) {
    if (races_ != nullptr) synchronising_ = thread;
  }
  void fence(std::uint32_t thread) {
    settle();
    if (races_ != nullptr) races_->release(order_, thread);
  }
  /// An access of shared memory, of which `bytes` there are.
  void shared_access(Fiber& fiber, const Access& access) {
    if (checks_bounds_ && (!is_aligned(access) || !is_in_shared(access)))
      refuse_shared(fiber, access);
  }
  /// An access through a pointer that leads into `bytes` at `base`; 0: what the map knows there,
  /// which is memory that other threads may touch, too.
  void variable_access(Fiber& fiber, const Access& access, std::uintptr_t base,
                       std::uint64_t bytes);

 private:
  static constexpr std::size_t slots = 256;
  static constexpr std::uint64_t most_warnings = 10'000;  // of a worker: they take their time
  static std::size_t slot(const abi::SourcePoint* where) {
    return reinterpret_cast<std::uintptr_t>(where) / sizeof(abi::CheckedAccess) % slots;
  }
  static bool is_aligned(const Access& access) {
    return (access.begin & (abi::aligned_to(access.kind) - 1)) == 0;
  }
  bool is_in_shared(const Access& access) const {
    return access.size <= shared_bytes_ && access.begin - shared_ <= shared_bytes_ - access.size;
  }
  bool is_near_shared(std::uintptr_t address) const;
  void remember(const KnownMemory& known, std::uint32_t slot);
  /// True: it is memory that other threads may touch, too.
  bool look_up(Fiber& fiber, const Access& access);
  void check_written(Fiber& fiber, const Access& access);
  void check_race(Fiber& fiber, const Access& access);
  void settle_store();
  void settle_synchronisation();
  void tell_race(const Fiber& fiber, const Access& access, const GlobalRace& race);
  bool is_argument(const Access& access) const;
  bool is_constant(std::uintptr_t address);
  void refuse_shared(Fiber& fiber, const Access& access);
  void refuse_variable(Fiber& fiber, const Access& access, std::uintptr_t base,
                       std::uint64_t bytes);
  /// Does not return, so nothing in the frames above may need its destructor.
  template <class Tell>
  void report(const Fiber& fiber, const Access& access, Fault fault, const Tell& tell);
  template <class Relation>
  void refuse(Fiber& fiber, const Access& access, Fault fault, Relation relation);

  /// A store whose value is not there yet.
  struct Store {
    Fiber* fiber = nullptr;
    Access access{};
    std::vector<char> before;
  };

  MemoryMap& map_;
  const WrittenBytes* written_;  // null: nobody asks
  GlobalRaces* races_;           // the same
  const bool checks_bounds_;
  const bool is_quick_ = written_ == nullptr && races_ == nullptr;
  AddressRange constants_;  // where some were found
  BlockOrder order_;
  Store store_;
  std::optional<std::uint32_t> synchronising_;  // the thread that is about to
  std::uint64_t warnings_ = 0;
  std::array<const FreshMemory*, 256> fresh_{};     // as `recent_`, of this block
  std::array<const KnownMemory*, slots> recent_{};  // what was touched last, by place in the code
  std::array<abi::GoodPlaces, abi::access_slots + 1> good_{};  // the same, of this block
  Part* part_ = nullptr;
  const abi::BlockContext* block_ = nullptr;
  std::uintptr_t shared_ = 0;
  std::uint64_t shared_bytes_ = 0;
};

}  // namespace gridspan::devices::cpu
