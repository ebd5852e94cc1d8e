// From boxes to units.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/demand.h"

#include "runtime/plan/virtual_buffer.h"
#include "runtime/regions/box_copies.h"

#include <algorithm>
#include <tuple>

namespace gridspan::runtime {

namespace {

/// Calls take(begin, bytes) for stretches that have every unit in common with the rows of the copy:
/// where the gap between two of them is smaller than a unit there is none that lies in it.
template <class Take>
void for_each_stretch(const regions::BoxCopy& copy, std::size_t unit, Take take) {
  const auto& [width, height, depth] = copy.extent;
  if (width == 0 || height == 0 || depth == 0) return;
  const auto start = static_cast<std::size_t>(copy.offset);
  const bool joins_rows = height == 1 || copy.pitch < width + unit;
  const std::size_t slice = (height - 1) * copy.pitch + width;
  if (joins_rows && (depth == 1 || copy.slice_pitch < slice + unit))
    return take(start, (depth - 1) * copy.slice_pitch + slice);
  for (std::size_t z = 0; z < depth; ++z) {
    const std::size_t at = start + z * copy.slice_pitch;
    if (joins_rows) {
      take(at, slice);
      continue;
    }
    for (std::size_t y = 0; y < height; ++y) take(at + y * copy.pitch, width);
  }
}

}  // namespace

void Demand::add(VirtualBuffer& buffer, unsigned device, const regions::View& view,
                 std::span<const regions::Box> boxes) {
  const std::size_t unit = buffer.units[device].unit;
  if (unit == 0) return;
  std::vector<regions::BoxCopy> copies;
  for (const regions::Box& box : boxes) append_copies(view, box, copies);
  for (const regions::BoxCopy& copy : copies) {
    for_each_stretch(copy, unit, [&](std::size_t begin, std::size_t bytes) {
      const std::size_t first = begin / unit, end = (begin + bytes - 1) / unit + 1;
      Stretch* const last = stretches.empty() ? nullptr : &stretches.back();
      const bool follows = last && last->buffer == &buffer && last->device == device &&
                           last->first <= first && first <= last->end;
      if (follows)
        last->end = std::max(last->end, end);
      else
        stretches.push_back({device, &buffer, first, end});
    });
  }
}

std::uint64_t Demand::bytes(unsigned device) const {
  std::uint64_t sum = 0;
  for (const Stretch& one : stretches) {
    if (one.device != device) continue;
    const MemoryUnits& units = one.buffer->units[device];
    sum += units.end(one.end - 1) - units.begin(one.first);
  }
  return sum;
}

void Demand::tidy() {
  std::ranges::sort(stretches, [](const Stretch& a, const Stretch& b) {
    return std::tuple(a.device, a.buffer->number, a.first) <
           std::tuple(b.device, b.buffer->number, b.first);
  });
  std::size_t kept = 0;
  for (const Stretch& one : stretches) {
    Stretch* const last = kept == 0 ? nullptr : &stretches[kept - 1];
    if (last && last->buffer == one.buffer && last->device == one.device && one.first <= last->end)
      last->end = std::max(last->end, one.end);
    else
      stretches[kept++] = one;
  }
  stretches.resize(kept);
}

}  // namespace gridspan::runtime
