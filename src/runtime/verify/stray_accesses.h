// Accesses that run over the end of their array into the next one: the program's fault.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set without a footprint at this launch counts as everything in its allocation, and no more. So
// what a program touches behind the allocation's end looks as if the neighbour's model were wrong.
// The footprint's own formula is no help: where an assumption has failed, it may take forever.
#pragma once

#include "runtime/verify/bound_model.h"
#include "runtime/verify/recorder.h"

#include <map>
#include <optional>
#include <vector>

namespace gridspan::runtime::verify {

class StrayAccesses {
 public:
  /// `blocks`: all of the launch that were recorded.
  StrayAccesses(const BoundModel& bound, const std::vector<BlockRecord>& blocks)
      : bound_(bound), blocks_(blocks) {}

  /// The array that `site` is for, if its accesses at `outside` are outside of that array.
  std::optional<std::uint32_t> array_left(const abi::AccessSite& site, const IntervalSet& outside);

 private:
  std::optional<std::uint32_t> array_of(const abi::AccessSite& site) const;
  bool may_touch_all(std::uint32_t array, abi::RecordedKind kind) const;

  const BoundModel& bound_;
  const std::vector<BlockRecord>& blocks_;
  std::map<const abi::AccessSite*, std::optional<std::uint32_t>> arrays_;
};

}  // namespace gridspan::runtime::verify
