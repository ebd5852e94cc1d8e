// What is done around the parts of a launch that change the same places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/coherence.h"
#include "runtime/plan/launch_plan.h"

#include <memory>
#include <vector>

namespace gridspan::runtime {

/// The device of the first part that merges the buffer: the others' changes go there.
unsigned merge_target(const LaunchPlan& plan, const VirtualBuffer* buffer);

class SharedWrites {
 public:
  explicit SharedWrites(Coherence& coherence) : coherence_(coherence) {}

  /// Pushes what comes before the part on its device: private copies are set up, and snapshots
  /// taken of what is merged.
  void before(const LaunchPlan& plan, const PartPlan& part);

  /// When all parts are pushed: private copies are combined, changes merged, in order of the parts.
  void after(const LaunchPlan& plan);

 private:
  void set_up(const PartPlan& part, const BufferUse& use);
  void combine(const PartPlan& part, const BufferUse& use);
  void merge(const LaunchPlan& plan);

  Coherence& coherence_;
  /// A part's merges while its launch is being pushed.
  struct Snapshot {
    const PartPlan* part;
    const BufferUse* use;
    std::shared_ptr<Twin> twin;
  };
  std::vector<Snapshot> snapshots_;
};

}  // namespace gridspan::runtime
