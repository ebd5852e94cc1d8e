// What gridspan replay --fuse found, sequence by sequence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/record/log_records.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gridspan::tools {

struct Windows {
  std::vector<runtime::record::ForecastNote> forecasts;
  std::vector<runtime::record::WindowNote> windows;
};

/// Of the recording that a replay with --fuse made. Errors are one line.
support::Result<Windows> read_windows(const std::string& file);

struct FusionTotals {
  std::uint64_t launches = 0, windows = 0, groups = 0, launches_in_groups = 0;
  std::uint64_t kernels = 0, launches_in_kernels = 0;  // of several launches; those in them
  std::uint64_t chains = 0, launches_in_chains = 0;
  std::uint64_t apart_bytes = 0, glued_bytes = 0, chained_bytes = 0;
  bool is_exact = true;                // else bytes are the most that they can be
  std::uint64_t unknown_launches = 0;  // their bytes are in no sum
};

/// Windows of one forecast.
struct FusionSequence {
  runtime::record::ForecastNote forecast;
  std::uint64_t count = 0;
  bool is_graph = false;
  std::map<std::string, std::uint64_t> ends;  // why these windows ended
};

struct FusionSummary {
  std::vector<FusionSequence> sequences;  // in the order in which they first came
  FusionTotals totals;
  std::map<std::string, std::uint64_t> ends;
};

FusionSummary summarise(const Windows& windows);

/// Bytes of a window, all three ways: what is in no group stays.
FusionTotals totals_of(const runtime::record::ForecastNote& forecast);

}  // namespace gridspan::tools
