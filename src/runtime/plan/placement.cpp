// Patterns and linear distribution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/placement.h"

#include "runtime/plan/launch_plan.h"

#include <numeric>
#include <vector>

namespace gridspan::runtime {

namespace {

// Not worth a copy of its own on each device before anyone asks.
constexpr std::int64_t small = 64 << 10;
constexpr std::int64_t page = 4096;
constexpr std::int64_t largest_element = 16;

using Places = regions::RegionMap<DeviceSet>;

void add_pattern(const VirtualBuffer& buffer, Places& places) {
  for (const PartPlan& part : buffer.pattern->parts) {
    const auto want = [&](const std::vector<regions::Box>& boxes) {
      for (const regions::Box& box : boxes) {
        places.update(box, [&](DeviceSet devices) { return devices.with(part.device); });
      }
    };
    for (const BufferUse& use : part.uses) {
      if (use.buffer != &buffer || use.view != buffer.view()) continue;
      want(use.reads);
      want(use.writes);
    }
  }
}

DeviceSet unless_wanted(DeviceSet wanted, unsigned device) {
  return wanted.is_empty() ? DeviceSet::only(device) : wanted;
}

/// What nobody wants yet, in stretches of whole units.
void distribute(const regions::View& view, std::span<const std::uint32_t> speeds, std::int64_t unit,
                Places& places) {
  std::vector<regions::Box> boxes;
  const auto all = std::accumulate(speeds.begin(), speeds.end(), std::int64_t{0});
  std::int64_t begin = 0, before = 0;
  for (unsigned device = 0; device < speeds.size(); ++device) {
    before += speeds[device];
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): if all is 0, so is `before`
    const std::int64_t end = before == all ? view.bytes : view.bytes / unit * before / all * unit;
    if (begin == end) continue;
    boxes.clear();
    append_bytes(view, begin, end, boxes);
    for (const regions::Box& box : boxes) {
      places.update(box, [device](DeviceSet wanted) { return unless_wanted(wanted, device); });
    }
    begin = end;
  }
}

}  // namespace

Places placement(const VirtualBuffer& buffer, std::span<const std::uint32_t> speeds,
                 bool follows_patterns) {
  Places places(buffer.view(), DeviceSet{});
  if (follows_patterns && buffer.pattern) add_pattern(buffer, places);
  if (!follows_patterns) {
    distribute(buffer.view(), std::vector<std::uint32_t>(speeds.size(), 1), largest_element,
               places);
  } else if (buffer.view().bytes > small) {
    distribute(buffer.view(), speeds, page, places);
  }
  places.update(places.view().whole(), [](DeviceSet wanted) { return unless_wanted(wanted, 0); });
  return places;
}

}  // namespace gridspan::runtime
