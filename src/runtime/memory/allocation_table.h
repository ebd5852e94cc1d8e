// Which memory the program got from us, and what became of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table holds disjoint ranges [base, base + size). Live ranges answer "what is this pointer".
// Retiring ones were given back in stream order (cudaFreeAsync): freed for the program, while
// commands queued before still use them. The youngest freed ranges are remembered too, so that a
// use after free and a double free are told apart from a wild pointer. A freed range is forgotten
// as soon as a live one overlaps it.
#pragma once

#include "abi/module.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace gridspan::runtime {

enum class MemoryKind : std::uint8_t {
  device,      // cudaMalloc
  symbol,      // home image of a __device__ or __constant__ variable
  host,        // cudaMallocHost, cudaHostAlloc
  registered,  // cudaHostRegister
  managed,     // cudaMallocManaged
  managed_variable,
  mapped,    // cuMemMap: one piece of memory may be at several addresses
  exported,  // device memory that other processes may have, too
  imported,  // theirs, or other systems'
};
inline constexpr std::size_t memory_kinds = 9;

/// True for memory of which there is one copy, because the host program may touch it by itself or
/// because it has several addresses.
constexpr bool is_host_kind(MemoryKind kind) {
  return kind != MemoryKind::device && kind != MemoryKind::symbol;
}

/// False for memory that may be at another address, too.
constexpr bool has_one_address(MemoryKind kind) {
  return kind != MemoryKind::mapped && kind != MemoryKind::exported &&
         kind != MemoryKind::imported && kind != MemoryKind::registered;
}

constexpr bool is_managed_kind(MemoryKind kind) {
  return kind == MemoryKind::managed || kind == MemoryKind::managed_variable;
}

struct Allocation {
  /// Of device memory that holds what the run time needs for something else: a texture, say.
  static constexpr unsigned is_ours = 1u << 31;
  std::uintptr_t base = 0;
  std::size_t size = 0;
  MemoryKind kind = MemoryKind::device;
  unsigned flags = 0;  // as given to cudaHostAlloc / cudaHostRegister / cudaMallocManaged; is_ours
  int device = 0;      // the program's device it was allocated on
  const abi::Module* module = nullptr;  // of a symbol, which it has as `symbols[symbol]`
  std::uint32_t symbol = 0;
  std::size_t requested = 0;  // bytes the program asked for; 0: `size`
  std::size_t beyond = 0;     // bytes at its end that lie in the host's memory, for want of room

  std::uintptr_t end() const { return base + size; }
  friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// What an address is. `allocation` means something unless state is `unknown`.
struct Lookup {
  enum class State : std::uint8_t { unknown, live, retiring, freed } state = State::unknown;
  Allocation allocation;

  bool is_live() const { return state == State::live; }
  bool is_freed() const { return state == State::retiring || state == State::freed; }
  /// Commands on their way may use it.
  bool is_held() const { return state == State::live || state == State::retiring; }
};

/// Who wants to know of every range. Told while the table is locked: must not ask it.
class AllocationListener {
 public:
  virtual ~AllocationListener() = default;
  virtual void added(const Allocation& allocation) = 0;
  /// The program gave it back; commands on their way may use it until `removed`.
  virtual void retiring(const Allocation& allocation) = 0;
  virtual void removed(const Allocation& allocation) = 0;
};

/// Thread safe. Lookups are O(log n) and run in parallel.
class AllocationTable {
 public:
  /// To be called before the first range is added. The listener lives as long as the table.
  void listen(AllocationListener* listener) { listener_ = listener; }

  /// Adds a live range. False, and nothing changes, if it is empty or overlaps a live range.
  bool insert(const Allocation& allocation);

  /// The range that holds `address`, interior pointers included.
  Lookup find(const void* address) const;

  /// Removes the live range that starts at `base` if `accepts(its kind)`, and remembers it as
  /// freed. The answer is what was found: `live` means removed, and the caller gives the memory
  /// back.
  template <class Accepts>
  Lookup remove(const void* base, Accepts accepts);

  /// As `remove`, but the range is held until `end_retirement`.
  template <class Accepts>
  Lookup retire(const void* base, Accepts accepts);
  /// `base` was retired; from here on it is freed.
  void end_retirement(std::uintptr_t base);
  /// `base` was retired; from here on it is live again.
  void undo_retirement(std::uintptr_t base);

  /// Removes registered ranges that overlap [base, base + size): the program freed that memory
  /// without unregistering it.
  void drop_stale_registrations(const void* base, std::size_t size);

  /// Forgets a range without remembering it as freed (unregistered or unloaded memory).
  std::optional<Allocation> forget(const void* base, MemoryKind kind);

  /// Removes every live range of `kind` of the program's `device` and hands them over.
  std::vector<Allocation> remove_all(MemoryKind kind, int device);

  /// Every live or retiring range.
  std::vector<Allocation> held() const;

  /// Grows with each change of what is live or retiring.
  std::uint64_t changes() const { return changes_.load(std::memory_order_acquire); }

  /// Bytes live or retiring of `kind`.
  std::size_t bytes(MemoryKind kind) const;

  /// Empty if the invariants hold, else what is broken. O(n).
  const char* check() const;

 private:
  using Ranges = std::map<std::uintptr_t, Allocation>;
  static constexpr std::size_t freed_limit = 4096;

  static const Allocation* holder(const Ranges& ranges, std::uintptr_t address);
  static bool overlaps(const Ranges& ranges, std::uintptr_t base, std::uintptr_t end);
  template <class Accepts, class Keep>
  Lookup take(const void* base, Accepts accepts, Keep keep);
  void remember_freed(const Allocation& allocation);
  void forget_freed(std::uintptr_t base, std::uintptr_t end);
  Ranges::iterator erase_live(Ranges::iterator at);
  void discount(const Allocation& allocation);

  mutable std::shared_mutex mutex_;
  Ranges live_;
  Ranges retiring_;
  Ranges freed_;
  std::deque<std::uintptr_t> freed_order_;  // oldest first; may name ranges already forgotten
  std::size_t bytes_[memory_kinds] = {};    // by MemoryKind
  AllocationListener* listener_ = nullptr;
  std::atomic<std::uint64_t> changes_{0};
};

template <class Accepts, class Keep>
Lookup AllocationTable::take(const void* base, Accepts accepts, Keep keep) {
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  const std::unique_lock lock(mutex_);
  const auto at = live_.find(address);
  if (at != live_.end()) {
    if (!accepts(at->second.kind)) return {};
    const Allocation taken = at->second;
    live_.erase(at);
    ++changes_;
    if (listener_ != nullptr) listener_->retiring(taken);
    keep(taken);
    return {Lookup::State::live, taken};
  }
  for (const Ranges* gone : {&retiring_, &freed_}) {
    const auto found = gone->find(address);
    if (found != gone->end()) return {Lookup::State::freed, found->second};
  }
  return {};
}

template <class Accepts>
Lookup AllocationTable::remove(const void* base, Accepts accepts) {
  return take(base, accepts, [&](const Allocation& taken) {
    discount(taken);
    remember_freed(taken);
  });
}

template <class Accepts>
Lookup AllocationTable::retire(const void* base, Accepts accepts) {
  return take(base, accepts,
              [&](const Allocation& taken) { retiring_.emplace(taken.base, taken); });
}

}  // namespace gridspan::runtime
