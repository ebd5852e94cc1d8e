// Which array a place in the source is for: the one it mostly touches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/stray_accesses.h"

namespace gridspan::runtime::verify {

using abi::RecordedKind;
using abi::SetKind;

namespace {

bool is_read(RecordedKind kind) {
  return kind == RecordedKind::read || kind == RecordedKind::atomic_read;
}

bool is_write(RecordedKind kind) {
  return kind == RecordedKind::write || kind == RecordedKind::atomic_write;
}

/// Is an access of this kind described by such a set?
bool describes(SetKind set, RecordedKind kind) {
  switch (set) {
    case SetKind::read:
      return is_read(kind);
    case SetKind::must_write:
    case SetKind::may_write:
    case SetKind::write_same:
      return is_write(kind);
    case SetKind::reduction:
      return kind == RecordedKind::update;
    case SetKind::atomic:
      break;
  }
  return true;
}

}  // namespace

/// Sets with a footprint hold what they hold, wherever that lies.
bool StrayAccesses::may_touch_all(std::uint32_t array, RecordedKind kind) const {
  const abi::ModelArray& described = bound_.model().arrays[array];
  for (std::uint32_t i = 0; i < described.set_count; ++i)
    if (describes(described.sets[i].kind, kind) && bound_.is_unbounded(described.sets[i]))
      return true;
  return false;
}

/// More than half of the bytes must lie in the array's memory.
std::optional<std::uint32_t> StrayAccesses::array_of(const abi::AccessSite& site) const {
  IntervalSet touched;
  for (const BlockRecord& block : blocks_)
    for (const SiteRecord& record : block.sites)
      if (record.site == &site) touched.add(record.touched);
  touched.normalise();
  for (std::uint32_t array = 0; array < bound_.model().array_count; ++array) {
    const Allocation* allocation = bound_.allocation(array);
    if (!allocation || !may_touch_all(array, site.kind)) continue;
    IntervalSet memory;
    memory.add(allocation->base, allocation->end());
    memory.normalise();
    if (2 * touched.intersection(memory).bytes() > touched.bytes()) return array;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> StrayAccesses::array_left(const abi::AccessSite& site,
                                                       const IntervalSet& outside) {
  const auto [known, is_new] = arrays_.try_emplace(&site);
  if (is_new) known->second = array_of(site);
  if (!known->second) return std::nullopt;
  const Allocation& allocation = *bound_.allocation(*known->second);
  for (const auto& part : outside.parts())
    if (part.begin < allocation.end() && allocation.base < part.end) return std::nullopt;
  return known->second;
}

}  // namespace gridspan::runtime::verify
