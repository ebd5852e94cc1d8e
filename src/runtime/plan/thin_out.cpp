// One holder for each small box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/thin_out.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace gridspan::runtime {

namespace {

// Of all bytes, one of so many.
constexpr std::int64_t small = 256;        // copies of it are forgotten
constexpr std::int64_t very_small = 4096;  // it is moved
constexpr std::int64_t most_moved = 8;     // in all

bool is_one(DeviceSet set) { return std::has_single_bit(set.bits()); }

void add(std::vector<Stray>& strays, unsigned device, const regions::Box& box) {
  auto found = std::ranges::find(strays, device, &Stray::device);
  if (found == strays.end()) found = strays.insert(found, {device, {}});
  found->boxes.push_back(box);
}

}  // namespace

Thinned thin_out(regions::RegionMap<DeviceSet>& holders) {
  const std::int64_t all = holders.view().bytes;
  std::vector<std::pair<regions::Box, DeviceSet>> kept;
  Thinned thinned;
  std::int64_t moved = 0;
  DeviceSet before;  // one, or nobody
  holders.query(holders.view().whole(), [&](const regions::Box& box, DeviceSet set) {
    const std::int64_t bytes = box.volume();
    if (set.is_empty() || (!is_one(set) && bytes > all / small)) return;
    if (!is_one(set)) {
      const DeviceSet both = set.intersection(before);
      set = DeviceSet::only(both.is_empty() ? set.first() : both.first());
      kept.emplace_back(box, set);
    }
    if (before.is_empty() || set == before || bytes > all / very_small) {
      before = set;
      return;
    }
    add(thinned.strays, before.first(), box);
    moved += bytes;
  });
  for (const auto& [box, set] : kept) {
    holders.assign(box, set);
    thinned.forgotten.push_back(box);
  }
  if (moved > all / most_moved) thinned.strays.clear();
  return thinned;
}

void ForgottenBoxes::note(std::vector<regions::Box> boxes) {
  constexpr std::size_t most = 256;
  if (boxes.size() > most) boxes.resize(most);
  boxes_ = std::move(boxes);
  bytes_ = wanted_ = 0;
  for (const regions::Box& box : boxes_) bytes_ += box.volume();
}

void ForgottenBoxes::note_lacking(const regions::Box& box) {
  for (const regions::Box& one : boxes_)
    if (one.meets(box)) wanted_ += one.intersection(box).volume();
}

}  // namespace gridspan::runtime
