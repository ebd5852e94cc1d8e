// One part: recorded accesses against footprints, in both directions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/verify/bound_model.h"
#include "runtime/verify/difference.h"
#include "runtime/verify/recorder.h"
#include "runtime/verify/stray_accesses.h"

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace gridspan::runtime::verify {

/// "(x,y,z)"
std::string index_text(const abi::Dim& index);

/// Bytes some sets of a part may touch.
struct Cover {
  IntervalSet bytes;
  bool everything = false;
  void add(const Footprint& footprint);
  void add(const Cover& other);
};

class PartCheck {
 public:
  /// `blocks`: the recorded blocks of `part`. `complete`: no block of it was left out of the
  /// sample.
  PartCheck(const BoundModel& bound, const Box& part, std::vector<const BlockRecord*> blocks,
            bool complete, StrayAccesses& strays, Findings& findings);

  void run();

  /// For the check of axes: what the array's write-same sets hold, and what its other write sets
  /// do.
  IntervalSet footprint_of_same_writes(std::uint32_t array) const;
  IntervalSet footprint_of_own_writes(std::uint32_t array) const;

 private:
  struct PartSet {
    std::uint32_t array;
    const abi::ModelSet* set;
    Footprint footprint;
  };
  IntervalSet footprint_of(std::uint32_t array, std::initializer_list<abi::SetKind> kinds) const;
  void make_covers();
  void gather();
  void check_contained();
  void check_contained(const BlockRecord& block, const SiteRecord& record);
  bool is_stray(const SiteRecord& record, const IntervalSet& outside);
  void check_exact(const PartSet& one);
  void check_inside(const PartSet& one, bool exact);
  const Cover& cover_of(const abi::AccessSite& site);
  void report(DifferenceKind kind, const abi::SourcePoint& where, std::uint32_t array,
              const std::string& text);
  std::string part_text() const;
  std::string model_part_text() const;

  const BoundModel& bound_;
  Box part_;
  std::vector<const BlockRecord*> blocks_;
  bool complete_;
  StrayAccesses& strays_;
  std::vector<Difference>&differences_, &warnings_;
  std::vector<PartSet> sets_;
  Cover reads_, writes_, atomics_;
  std::array<Cover, abi::reduction_op_count> reductions_;
  IntervalSet read_, written_, updated_;  // recorded
};

}  // namespace gridspan::runtime::verify
