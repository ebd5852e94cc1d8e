// Do blocks that a legal cut separates write different bytes?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/verify/part_check.h"

#include <vector>

namespace gridspan::runtime::verify {

class AxisCheck {
 public:
  explicit AxisCheck(const BoundModel& bound);

  /// Some axis is legal at this launch, so blocks are worth adding.
  bool is_needed() const;
  void add(const BlockRecord& block, const PartCheck& footprints);
  void run(std::vector<Difference>& differences);

 private:
  /// Bytes that one block writes through one array.
  struct Written {
    Interval bytes;
    abi::Dim block;
    const abi::AccessSite* site;
  };
  void check(unsigned axis, std::uint32_t array, std::vector<Difference>& differences);

  const BoundModel& bound_;
  bool legal_[3];
  std::vector<std::vector<Written>> written_;  // by array
};

}  // namespace gridspan::runtime::verify
