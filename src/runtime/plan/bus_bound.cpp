// Bytes a launch, and what they take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/bus_bound.h"

#include "support/readable_name.h"

#include <bit>
#include <cstdio>

namespace gridspan::runtime {

namespace {

std::string bytes_text(double bytes) {
  const char* unit = "KB";
  double size = bytes / 1e3;
  if (bytes >= 1e9) {
    unit = "GB";
    size = bytes / 1e9;
  } else if (bytes >= 1e6) {
    unit = "MB";
    size = bytes / 1e6;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", size, unit);
  return text;
}

}  // namespace

void BusBound::begin() {
  crowded_ = crowded();
  moved_ = traffic_.between.bytes.get();
}

/// The first launch also brings what stays. From then on it is looked at ever more seldom: data may
/// fit for a while.
std::string BusBound::end(const abi::Kernel& kernel, const std::function<double()>& seconds) {
  if (crowded() == crowded_) return {};
  Known& known = kernels_[&kernel];
  ++known.launches;
  if (known.is_told || known.launches < 2 || !std::has_single_bit(known.launches)) return {};
  const auto moved = static_cast<double>(traffic_.between.bytes.get() - moved_);
  const double copies = moved / bus_, work = seconds();
  if (copies <= work) return {};
  known.is_told = true;
  char times[80];
  std::snprintf(times, sizeof times, " a step: %.3g ms of copies, about %.3g ms of work",
                1e3 * copies, 1e3 * work);
  return "'" + support::readable_name(kernel.name) + "' is bound by the bus: " + bytes_text(moved) +
         times;
}

}  // namespace gridspan::runtime
