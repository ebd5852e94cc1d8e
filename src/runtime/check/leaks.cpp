// Groups what is left by where it was allocated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/leaks.h"

#include <algorithm>
#include <cstdio>

namespace gridspan::runtime::check {
namespace {

struct Place {
  const KnownAllocation* first;
  std::uint64_t bytes, count;
};

std::vector<Place> by_place(const std::vector<const KnownAllocation*>& left) {
  std::vector<Place> places;
  for (const KnownAllocation* one : left) {
    const auto same = std::ranges::find_if(places, [one](const Place& place) {
      return place.first->made_by.frames == one->made_by.frames;
    });
    if (same == places.end()) {
      places.push_back({one, one->requested, 1});
      continue;
    }
    same->bytes += one->requested;
    ++same->count;
  }
  return places;
}

std::string line_of(const Place& place) {
  std::string what = std::to_string(place.bytes) + (place.bytes == 1 ? " byte" : " bytes");
  if (place.count > 1) what += " in " + std::to_string(place.count) + " allocations";
  if (place.first->is_heap) return "note: " + what + " of device code's own heap are never freed\n";
  what += " are never freed: allocated";
  const std::string line = note_of(what, place.first->made_by);
  return line.empty() ? "note: " + what + "\n" : line;
}

}  // namespace

void tell_leaks(const KnownAllocations& known) {
  const std::vector<const KnownAllocation*> left = known.left();
  if (left.empty()) return;
  std::uint64_t bytes = 0;
  for (const Place& place : by_place(left)) {
    std::fputs(line_of(place).c_str(), stderr);
    bytes += place.bytes;
  }
  std::fprintf(stderr, "gridspan: leaks: %llu bytes in %zu allocations are not freed\n",
               static_cast<unsigned long long>(bytes), left.size());
}

}  // namespace gridspan::runtime::check
