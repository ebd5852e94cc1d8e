// Parts of a launch that work on packed boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A box lives as long as its part. It is filled from whoever has the current bytes; what the part
// writes is copied home at once, which always has room:
//
//     device 2 ── copy ──┐                   ┌── copy ──► home
//     home ────── copy ──┴─► box ── part ────┘
//
// So boxes hold nothing that is asked for later, and region maps know nothing of them.
#pragma once

#include "runtime/plan/coherence.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/packer.h"
#include "runtime/plan/part_pusher.h"
#include "runtime/plan/residency.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gridspan::runtime {

/// Of one plan, which outlives it. Calls in this order; all but `rest` may be left out from some
/// place on.
class PackedParts {
 public:
  PackedParts(Coherence& coherence, Residency& residency, const Packer& packer,
              const LaunchPlan& plan);
  PackedParts(const PackedParts&) = delete;
  PackedParts& operator=(const PackedParts&) = delete;
  /// Waits for what uses the boxes. Until then the next boxes may be filled while the part runs.
  ~PackedParts();

  bool is_empty() const { return boxes_.empty(); }
  /// The plan without what is packed.
  const LaunchPlan& rest() const { return rest_; }

  /// False, and nothing is taken, where there is no room. The rest's was made before.
  bool take_memory();
  void fill();
  void push(PartPusher& pusher, const KernelCommand& command);
  void write_back();

 private:
  struct Held {
    std::size_t part;
    unsigned device;
    BufferUse use;
    PackedBox box;
    std::uint64_t size;
    char* memory = nullptr;
    std::vector<Edge> filled = {};  // the copies into it
    Ticket last = 0;                // of its part, on the device's queue
  };

  void fill(Held& held, unsigned source, std::span<const regions::Box> pieces);
  void give_back();
  std::vector<devices::BoxMove> moves(const Held& held, char* buffer,
                                      std::span<const regions::Box> boxes, bool out) const;
  std::vector<devices::PackedArray> arrays(std::size_t part);

  Coherence& coherence_;
  Residency& residency_;
  const Packer& packer_;
  LaunchPlan rest_;
  std::vector<Held> boxes_;
  Ticket written_ = 0;  // on home's queue
};

}  // namespace gridspan::runtime
