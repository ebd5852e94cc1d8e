// May the grid be cut where the model says so? Writes of the blocks on both sides tell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/verify/group_writes.h"
#include "runtime/verify/part_check.h"

#include <vector>

namespace gridspan::runtime::verify {

class AxisCheck {
 public:
  explicit AxisCheck(const BoundModel& bound);

  /// Some axis is legal at this launch, so blocks are worth adding.
  bool is_needed() const;
  /// Keeps pointers into `block`.
  void add(const BlockRecord& block, const PartCheck& part);
  void run(std::vector<Difference>& differences);

 private:
  void check(unsigned axis, std::uint32_t array, std::vector<Difference>& differences) const;
  std::string text_of(const Contradiction& found, Groups groups, std::uint32_t array) const;

  const BoundModel& bound_;
  bool legal_[3];
  std::vector<std::vector<Written>> written_;  // by array
};

}  // namespace gridspan::runtime::verify
