// What a launch becomes: parts, and what each must have and leaves behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/launch.h"
#include "runtime/plan/virtual_buffer.h"
#include "runtime/regions/box_copies.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gridspan::runtime {

/// How far down the ladder a launch went (design.md, "The ladder").
enum class Rung : std::uint8_t {
  exact,       // what parts write is known and disjoint
  may_write,   // the same, but not all of it is surely written
  reduction,   // atomic updates on private copies, combined after
  scattered,   // parts may write the same places: changes are found by comparison, then merged
  one_device,  // the whole launch on the home device
};
inline constexpr std::size_t rung_count = 5;
const char* rung_name(Rung rung);

/// What one part does to one buffer. Boxes are of `view`; those of one list may overlap.
struct BufferUse {
  VirtualBuffer* buffer;
  regions::View view;
  std::vector<regions::Box> reads;    // must be current on the device before
  std::vector<regions::Box> writes;   // newest there afterwards; no other part touches them so
  std::vector<regions::Box> merges;   // parts of `reads` that several parts may change
  std::uint32_t merge_bytes = 0;      // changes are found in units of so many bytes: a divisor of
                                      // all elements' sizes and places
  std::vector<regions::Box> changed;  // holds all of `writes` and `merges`; few boxes, for logs
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
};

/// One buffer's copies between two devices before a launch.
struct CopyStep {
  VirtualBuffer* buffer;
  unsigned from, to;
  std::vector<regions::Box> touched;  // holds all of the boxes; few, for logs
  std::shared_ptr<const std::vector<regions::BoxCopy>> boxes;
  std::uint64_t bytes;
};

/// What a launch turned out to need when it met its buffers in a certain state, and the state it
/// left them in: done again without asking when the same launch meets the same state.
struct Recipe {
  using States = std::vector<regions::RegionMap<DeviceSet>>;  // of LaunchPlans::buffers

  const LaunchPlan* plan;
  States before, after;
  std::vector<CopyStep> copies;
};

/// Ways to run one launch, the suggested one first; never empty.
struct LaunchPlans {
  std::vector<LaunchPlan> ways;
  std::vector<VirtualBuffer*> buffers;  // all that the ways use
  std::vector<Recipe> recipes;          // the launcher's; latest last
};

}  // namespace gridspan::runtime
