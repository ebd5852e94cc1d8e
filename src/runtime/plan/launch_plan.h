// What a launch becomes: parts, and what each must have and leaves behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/launch.h"
#include "abi/model.h"
#include "runtime/plan/cause.h"
#include "runtime/plan/demand.h"
#include "runtime/plan/virtual_buffer.h"
#include "runtime/regions/box_copies.h"
#include "runtime/schedule/block_box.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::runtime {

/// How far down the ladder a launch went (docs/devices.md).
enum class Rung : std::uint8_t {
  exact,       // what parts write is known and disjoint
  may_write,   // the same, but not all of it is surely written
  reduction,   // atomic updates on private copies, combined after
  scattered,   // parts may write the same places: changes are found by comparison, then merged
  one_device,  // the whole launch on the home device
};
inline constexpr std::size_t rung_count = 5;
const char* rung_name(Rung rung);

/// Elements that a part does not update itself: its device updates a copy, which starts as the
/// operation's identity and is combined into the elements after the launch's parts. The device's
/// own memory of the same boxes is that copy; what it held is lost.
struct PrivateCopy {
  unsigned target;  // the device of the part that updates the elements themselves
  abi::ReductionOp op;
  std::uint32_t update_bytes;
  std::vector<regions::Box> boxes;                            // disjoint
  std::shared_ptr<const std::vector<regions::BoxCopy>> rows;  // the same; rows of whole elements
  std::int64_t bytes;
};

/// What one part does to one buffer. Boxes are of `view`; those of one list may overlap.
struct BufferUse {
  VirtualBuffer* buffer;
  regions::View view;
  std::vector<regions::Box> reads;   // must be current on the device before
  std::vector<regions::Box> writes;  // newest there afterwards; no other part touches them so
  std::vector<regions::Box> merges;  // parts of `reads` that several parts may change
  std::uint32_t merge_bytes = 0;     // changes are found in units of so many bytes: a divisor of
                                     // all elements' sizes and places
  std::vector<PrivateCopy> private_copies;  // of what other parts update themselves
  std::vector<regions::Box> changed;  // holds all of `writes`, `merges` and private copies; few
                                      // boxes, for logs
};

/// A pointer in the launch's arguments that means a buffer.
struct PointerArgument {
  std::uint32_t offset;  // in the packed arguments
  VirtualBuffer* buffer;
};

struct PartPlan {
  unsigned device;
  abi::Dim first_block;
  abi::Dim block_count;
  std::vector<BufferUse> uses;
  double bytes = 0;  // that its blocks touch, where that was asked for

  /// The part's use of the buffer, made at the first call.
  BufferUse& use_of(VirtualBuffer* buffer, const regions::View& view);
};

struct LaunchPlan {
  Rung rung = Rung::one_device;
  std::string why;  // it is not `exact`; for a person
  std::vector<PartPlan> parts;
  std::vector<PointerArgument> pointers;
  /// The kernel may touch memory that is no argument of it: every buffer must be current at home.
  bool touches_everything = false;
  /// Memory the host sees by itself is touched, or something is printed: order must be kept with
  /// all that came before and comes after.
  bool keeps_order = false;
  /// The launch takes one device less time than it takes to begin parts on all (split.h). One of
  /// its ways is to keep it whole.
  bool is_little = false;
  /// Parts are not equal: they follow their bytes (follow.h).
  bool follows = false;
  bool is_whole_little() const { return is_little && parts.size() == 1; }
  /// Bytes that the busiest part touches (plan_cost.h), where there are other ways; else 0.
  double work = 0;
  /// What the parts touch on devices where that matters; found when it is asked for (residency.h).
  mutable std::shared_ptr<Demand> demand = {};
};

/// One buffer's copies between two devices before a launch.
struct CopyStep {
  VirtualBuffer* buffer;
  unsigned from, to;
  std::vector<regions::Box> touched;  // holds all of the boxes; few, for logs
  std::shared_ptr<const std::vector<regions::BoxCopy>> boxes;
  std::uint64_t bytes;
  Cause cause;
};

/// Blocks of one part that run one after the other, and what they change.
struct Piece {
  struct Change {
    VirtualBuffer* buffer;
    std::vector<regions::Box> boxes;  // hold all that is changed; few, for logs
  };
  unsigned device;
  std::vector<BlockBox> blocks;
  std::vector<Change> changes;
};

/// A launch's parts, cut around its copies (stages.h). None: copies come first, then the parts.
struct Stages {
  std::vector<Piece> early, late;
};

/// What a launch turned out to need when it met its buffers in a certain state, and the state it
/// left them in: done again without asking when the same launch meets the same state.
struct Recipe {
  using States = std::vector<regions::RegionMap<DeviceSet>>;  // of LaunchPlans::buffers

  const LaunchPlan* plan;
  States before, after;
  std::vector<CopyStep> copies;
  std::optional<Stages> stages = {};  // found out when the launch is done again
  const LaunchPlan* next = nullptr;   // then also: the way to change to (change_over.h) ...
  std::uint64_t turns = 0;            // ... when it has been done so many times more
};

/// Ways to run one launch, the suggested one first; never empty. Where parts change the same
/// places, the last way is to keep them together.
struct LaunchPlans {
  std::vector<LaunchPlan> ways;         // two may be added: there is room for them
  bool knows_following = false;         // that whose parts follow their bytes was looked for
  bool knows_crossing = false;          // that of two axes was looked for ...
  bool has_crossing = false;            // ... and is the last way
  bool is_met_again = false;            // it was carried out before
  unsigned changes = 0;                 // of way, by recipes
  std::uint64_t repeats = 0;            // of recipes
  std::vector<VirtualBuffer*> buffers;  // all that the ways use
  std::vector<Recipe> recipes;          // the launcher's; latest last
};

}  // namespace gridspan::runtime
