// Footprints of parts, and where they meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/attempt.h"

#include "runtime/plan/outline.h"

#include <algorithm>

namespace gridspan::runtime {

using regions::Box;

namespace {

bool meet(const std::vector<Box>& a, const std::vector<Box>& b) {
  constexpr std::size_t most_tests = 1 << 22;
  if (a.size() * b.size() > most_tests) return true;
  return std::ranges::any_of(a, [&](const Box& one) {
    return std::ranges::any_of(b, [&](const Box& other) { return one.meets(other); });
  });
}

bool meet(const SetUse& a, std::size_t part_a, const SetUse& b, std::size_t part_b) {
  if (a.buffer != b.buffer) return false;
  if (a.touched[part_a].boxes.empty() || b.touched[part_b].boxes.empty()) return false;
  return a.hulls[part_a].meets(b.hulls[part_b]) &&
         meet(a.touched[part_a].boxes, b.touched[part_b].boxes);
}

}  // namespace

bool SetUse::is_exact(std::size_t part, const BlockBox& blocks) const {
  if (touched[part].widened) return false;
  const bool one_block = blocks.count.x == 1 && blocks.count.y == 1 && blocks.count.z == 1;
  const std::uint32_t needed = one_block ? abi::set_exact_block : abi::set_exact_part;
  return (set->flags & (needed | abi::set_exact_part)) != 0;
}

std::string SetUse::name() const {
  std::string name = bound->array->name ? bound->array->name : "?";
  const abi::SourcePoint& where = set->where;
  if (where.file) name += " at " + std::string(where.file) + ":" + std::to_string(where.line);
  return name;
}

bool conflict(const Attempt& attempt, const SetUse& a, const SetUse& b) {
  for (std::size_t i = 0; i < attempt.parts.size(); ++i) {
    for (std::size_t k = 0; k < attempt.parts.size(); ++k) {
      if (i != k && meet(a, i, b, k)) return true;
    }
  }
  return false;
}

Attempt touch(const BoundLaunch& launch, std::vector<CutPart> parts) {
  Attempt attempt{std::move(parts), {}, {}, {}};
  for (const BoundArray& bound : launch.arrays()) {
    if (!bound.buffer) continue;
    auto found = std::ranges::find(attempt.buffers, bound.buffer);
    const auto index = static_cast<std::size_t>(found - attempt.buffers.begin());
    if (found == attempt.buffers.end()) {
      attempt.buffers.push_back(bound.buffer);
      attempt.views.push_back(launch_view(launch, *bound.buffer));
    }
    for (std::uint32_t s = 0; s < bound.array->set_count; ++s) {
      SetUse use{&bound, &bound.array->sets[s], index, {}, {}};
      for (const CutPart& part : attempt.parts) {
        use.touched.push_back(
            footprint(launch, bound, *use.set, part.blocks, attempt.views[index]));
        use.hulls.push_back(hull_of(use.touched.back().boxes));
      }
      attempt.uses.push_back(std::move(use));
    }
  }
  return attempt;
}

}  // namespace gridspan::runtime
