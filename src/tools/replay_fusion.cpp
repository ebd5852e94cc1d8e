// Sums over windows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/replay_fusion.h"

#include "runtime/record/log_file.h"

#include <algorithm>

namespace gridspan::tools {
namespace {

using namespace runtime::record;

std::uint64_t launches_in(const ForecastNote& forecast, std::size_t first, std::size_t end) {
  const auto begin = forecast.steps.begin();
  return static_cast<std::uint64_t>(std::count_if(
      begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end),
      [](const FusedStepNote& step) { return step.is_kernel; }));
}

void add(FusionTotals& to, const FusionTotals& one) {
  to.launches += one.launches;
  to.windows += one.windows;
  to.groups += one.groups;
  to.launches_in_groups += one.launches_in_groups;
  to.kernels += one.kernels;
  to.launches_in_kernels += one.launches_in_kernels;
  to.chains += one.chains;
  to.launches_in_chains += one.launches_in_chains;
  to.apart_bytes += one.apart_bytes;
  to.glued_bytes += one.glued_bytes;
  to.chained_bytes += one.chained_bytes;
  to.is_exact = to.is_exact && one.is_exact;
  to.unknown_launches += one.unknown_launches;
}

void add(FusionTotals& totals, const ForecastNote& forecast, const FusedGroupNote& group) {
  ++totals.groups;
  const std::uint64_t launches = launches_in(forecast, group.first, group.end);
  totals.launches_in_groups += launches;
  for (const FusedKernelNote& kernel : group.kernels) {
    ++totals.kernels;
    totals.launches_in_kernels += launches_in(forecast, kernel.first, kernel.end);
  }
  totals.glued_bytes -= group.apart_bytes - group.glued_bytes;
  if (!group.no_chain.empty()) return;
  ++totals.chains;
  totals.launches_in_chains += launches;
  totals.chained_bytes -= group.apart_bytes - group.chained_bytes;
}

}  // namespace

support::Result<Windows> read_windows(const std::string& file) {
  auto reader = LogReader::open(file);
  if (!reader) return support::fail(reader.error());
  Windows windows;
  for (;;) {
    auto record = reader->next();
    if (!record) return support::fail(record.error());
    if (!*record) return windows;
    if (auto* forecast = std::get_if<ForecastNote>(&**record))
      windows.forecasts.push_back(std::move(*forecast));
    if (const auto* window = std::get_if<WindowNote>(&**record)) {
      if (window->forecast >= windows.forecasts.size())
        return support::fail(file + ": a window without a forecast");
      windows.windows.push_back(*window);
    }
  }
}

FusionTotals totals_of(const ForecastNote& forecast) {
  FusionTotals totals;
  totals.windows = 1;
  totals.launches = launches_in(forecast, 0, forecast.steps.size());
  for (const FusedStepNote& step : forecast.steps) {
    totals.apart_bytes += step.bytes;
    const bool is_unknown = !step.is_exact && step.bytes == 0;
    totals.unknown_launches += is_unknown ? 1 : 0;
    totals.is_exact = totals.is_exact && (step.is_exact || is_unknown);
  }
  totals.glued_bytes = totals.chained_bytes = totals.apart_bytes;
  for (const FusedGroupNote& group : forecast.groups) add(totals, forecast, group);
  return totals;
}

FusionSummary summarise(const Windows& windows) {
  FusionSummary summary;
  std::vector<FusionTotals> totals;
  for (const ForecastNote& forecast : windows.forecasts) {
    summary.sequences.push_back({forecast, 0, false, {}});
    totals.push_back(totals_of(forecast));
  }
  for (const WindowNote& window : windows.windows) {
    FusionSequence& sequence = summary.sequences[window.forecast];
    ++sequence.count;
    sequence.is_graph |= window.is_graph;
    ++sequence.ends[window.end];
    ++summary.ends[window.end];
    add(summary.totals, totals[window.forecast]);
  }
  return summary;
}

}  // namespace gridspan::tools
