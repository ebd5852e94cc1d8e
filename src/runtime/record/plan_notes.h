// Launch plans as records.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/launch_plan.h"
#include "runtime/plan/traffic.h"
#include "runtime/record/recorder.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

namespace gridspan::runtime::record {

inline Extents extents_of(const abi::Dim& dim) { return {dim.x, dim.y, dim.z}; }

/// Writes each different plan once.
class PlanNotes {
 public:
  explicit PlanNotes(Recorder& recorder) : recorder_(recorder) {}

  /// Launch `command` goes by `plan`, after `copies`.
  void write(std::uint64_t command, const LaunchPlan& plan, std::span<const CopyStep> copies);

 private:
  std::uint64_t number(PlanNote note);

  Recorder& recorder_;
  std::unordered_map<std::string, std::uint64_t> numbers_;  // by the note's bytes
};

MovedNote moved(const Traffic& traffic);
/// What was moved since `before`.
MovedNote moved_since(const MovedNote& before, const MovedNote& after);

}  // namespace gridspan::runtime::record
