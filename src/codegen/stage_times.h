// How long each stage took.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/pipeline.h"

#include <atomic>
#include <chrono>
#include <vector>

namespace gridspan::codegen {

/// Of all runs together; stages with others inside have these in their times. Several threads may
/// add.
class StageTimes {
 public:
  using Time = std::chrono::nanoseconds;

  StageTimes() : times_(pipeline().size()) {}

  void add(const Stage& stage, Time time) {
    times_[index(stage)] += time.count() + 1;  // what has run is never 0
  }
  /// 0: it has not run.
  Time operator[](const Stage& stage) const { return Time(times_[index(stage)].load()); }

 private:
  static std::size_t index(const Stage& stage) {
    return static_cast<std::size_t>(&stage - pipeline().data());
  }
  std::vector<std::atomic<std::int64_t>> times_;
};

/// Of the phases that have run, in order: of their stages together.
std::vector<std::pair<std::string_view, StageTimes::Time>> phase_times(const StageTimes& times);

/// Adds the time from here to the end of the scope. `times`: may be null.
class StageTimer {
 public:
  StageTimer(StageTimes* times, const Stage& stage) : times_(times), stage_(stage) {}
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;
  ~StageTimer() {
    if (times_) times_->add(stage_, std::chrono::steady_clock::now() - begin_);
  }

 private:
  StageTimes* times_;
  const Stage& stage_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace gridspan::codegen
