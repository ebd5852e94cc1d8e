// Keeps memory behind what devices touch, and takes it back from what they touched longest ago.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The home device has memory for all of every buffer: the program was given it. Other devices have
// addresses for their copies, and, where memory does not come by itself
// (DeviceMemory::memory_unit), memory for those units only that something touched. It is taken by
// the thread that plans, before the work that needs it is pushed. Where a device has no more, units
// are evicted:
//
//     device 1, copies of      a  [x][x][ ][x]        b  [ ][x]        [x] has memory
//     last used by launch          7  7     9               3          b's goes first
//
// What is evicted and current elsewhere is dropped. What only the device has is copied home first,
// which always has room. Nothing that the launch itself needs is evicted for it.
#pragma once

#include "runtime/plan/buffer_table.h"
#include "runtime/plan/coherence.h"
#include "runtime/plan/demand.h"
#include "runtime/plan/launch_plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridspan::runtime {

/// All calls come from the thread that plans.
class Residency {
 public:
  Residency(Coherence& coherence, BufferTable& buffers);

  /// Some device has to be given memory before it is used; else nothing here does anything.
  bool is_needed() const { return !limited().is_empty(); }
  bool is_limited(unsigned device) const { return limited().contains(device); }

  /// All that the plan's parts touch has memory. It counts as used now.
  bool is_ready(const LaunchPlan& plan);

  /// Makes it so; the devices where that was not possible. Buffers' holders may change.
  DeviceSet make_room(const LaunchPlan& plan);
  DeviceSet make_room(Demand& demand);

  /// What the plan's parts touch.
  Demand demand_of(const LaunchPlan& plan);
  /// The device's copy has addresses, or `demand` says that it can't.
  void prepare(VirtualBuffer& buffer, unsigned device, Demand& demand);

  /// A range with memory behind all of it, for as long as the caller wants; null if there is no
  /// room. `size` as size_of_range says. Buffers' holders may change.
  char* take_range(unsigned device, std::uint64_t size);
  /// Nothing uses it any more. It is kept for the next one until its memory is wanted.
  void give_back_range(unsigned device, char* memory, std::uint64_t size);
  /// Gives up the memory of what is kept; false if there is nothing.
  bool drop_ranges(unsigned device);

  /// Nothing has memory any more: what is kept is given up, and how much room there was forgotten.
  void forget_room();

  /// Bytes that devices have room for, by device: as much as they had when they had no more.
  const std::vector<std::uint64_t>& room() const { return room_; }

  /// Another one whenever something was evicted.
  std::uint64_t generation() const { return generation_; }

  /// Before buffers go away: plans of before are not asked about again.
  void forget_plans();

 private:
  struct Victim {
    std::uint64_t last_use;
    VirtualBuffer* buffer;
    std::size_t index;
  };
  struct IdleRange {
    char* memory;
    std::uint64_t size;
  };
  using Bytes = std::vector<regions::ByteRange>;
  static constexpr std::uint64_t plenty = ~std::uint64_t{0};

  const DeviceSet& limited() const;
  void note_use(const Demand& demand);
  void note_uses();
  bool take(unsigned device, const Demand& demand, std::span<const Demand::Stretch> stretches);
  std::uint64_t taken(unsigned device) const;
  std::uint64_t commit(const Demand::Stretch& stretch, bool& is_full);
  bool evict(unsigned device, std::uint64_t bytes);
  std::vector<Victim> victims(unsigned device, std::uint64_t bytes);
  std::uint64_t write_back(VirtualBuffer& buffer, unsigned device, const Bytes& evicted);
  void wait_for_users(const VirtualBuffer& buffer, unsigned device, const Bytes& evicted) const;

  Coherence& coherence_;
  BufferTable& buffers_;
  mutable std::optional<DeviceSet> limited_;
  std::uint64_t clock_ = 0;  // of uses
  std::uint64_t generation_ = 1;
  std::vector<std::uint64_t> room_;                 // by device; `plenty`: it always had more
  std::vector<std::vector<IdleRange>> idle_;        // by device
  std::vector<std::uint64_t> in_use_;               // bytes of ranges that were taken, by device
  std::vector<std::weak_ptr<const Demand>> plans_;  // whose uses are not noted in units yet
};

}  // namespace gridspan::runtime
