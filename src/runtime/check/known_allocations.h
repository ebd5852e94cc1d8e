// Every allocation and variable, with where it comes from and where it went: for checks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/memory_map.h"
#include "runtime/check/host_places.h"
#include "runtime/memory/allocation_table.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace gridspan::runtime::check {

/// One range and its story. What is gone is kept, for whoever uses it later.
struct KnownAllocation final : devices::KnownMemory {
  KnownAllocation(const Allocation& made, std::uint64_t bytes)
      : KnownMemory(made.base, bytes), allocation(made), requested(bytes) {}
  const Allocation allocation;
  const std::uint64_t requested;
  bool is_retired = false;  // freed, while commands may use it yet
  std::string variable;     // its name, of a module's variables
  HostCall made_by, freed_by;
};

/// Thread safe. Records are never destroyed; 200 bytes each.
class KnownAllocations final : public devices::MemoryMap, public AllocationListener {
 public:
  void added(const Allocation& allocation) override;
  void retiring(const Allocation& allocation) override;
  void removed(const Allocation& allocation) override;

  const devices::KnownMemory* find(std::uintptr_t address) override;
  Relation relation(std::uintptr_t address, std::uint64_t size) override;
  Relation relation(const devices::KnownMemory& known, std::uintptr_t address,
                    std::uint64_t size) override;
  void heap_allocated(const void* memory, std::uint64_t size) override;
  void heap_freed(const void* memory) override;

  /// What the program has allocated and not freed, in the order it did. Not its variables, nor what
  /// textures take.
  std::vector<const KnownAllocation*> left() const;

 private:
  using Records = std::map<std::uintptr_t, KnownAllocation*>;

  KnownAllocation& add(const Allocation& allocation, std::uint64_t bytes);
  void remove(std::uintptr_t base);
  void forget_gone(std::uintptr_t base, std::uint64_t bytes);
  static KnownAllocation* holder(const Records& records, std::uintptr_t address);
  KnownAllocation* nearest(std::uintptr_t address, std::uint64_t size) const;

  mutable std::shared_mutex mutex_;
  std::deque<std::unique_ptr<KnownAllocation>> all_;
  Records live_;
  Records gone_;  // disjoint from live ones
};

}  // namespace gridspan::runtime::check
