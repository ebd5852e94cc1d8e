// Do blocks that a legal cut separates write different bytes?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/axis_check.h"

#include <algorithm>

namespace gridspan::runtime::verify {

namespace {

bool is_write_set(const abi::ModelSet& set) {
  return set.kind == abi::SetKind::must_write || set.kind == abi::SetKind::may_write;
}

/// `legal` speaks under the assumptions of the sets it looked at.
bool has_unbounded_writes(const BoundModel& bound) {
  const abi::KernelModel& model = bound.model();
  for (std::uint32_t a = 0; a < model.array_count; ++a)
    for (std::uint32_t s = 0; s < model.arrays[a].set_count; ++s) {
      const abi::ModelSet& set = model.arrays[a].sets[s];
      if (is_write_set(set) && bound.is_unbounded(set)) return true;
    }
  return false;
}

std::uint32_t coordinate(const abi::Dim& block, unsigned axis) {
  return axis == 0 ? block.x : axis == 1 ? block.y : block.z;
}

std::string index_text(const abi::Dim& index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

}  // namespace

AxisCheck::AxisCheck(const BoundModel& bound) : bound_(bound), written_(bound.model().array_count) {
  const bool open = has_unbounded_writes(bound);
  for (unsigned axis = 0; axis < 3; ++axis) {
    const abi::ModelAxis& described = bound.model().axes[axis];
    legal_[axis] = !open && coordinate(bound.launch().grid, axis) > 1 && described.legal &&
                   described.legal(bound.values());
  }
}

bool AxisCheck::is_needed() const { return legal_[0] || legal_[1] || legal_[2]; }

void AxisCheck::add(const BlockRecord& block, const PartCheck& footprints) {
  for (std::uint32_t array = 0; array < written_.size(); ++array) {
    const IntervalSet described = footprints.write_footprint(array);
    if (described.empty()) continue;
    for (const SiteRecord& record : block.sites) {
      const abi::AccessSite& site = *record.site;
      const bool writes =
          site.kind == abi::RecordedKind::write || site.kind == abi::RecordedKind::atomic_write;
      if (!writes || (site.flags & abi::recorded_optional) != 0) continue;
      const IntervalSet bytes = record.touched.intersection(described);
      for (const Interval& part : bytes.parts())
        written_[array].push_back({part, block.index, record.site});
    }
  }
}

void AxisCheck::run(std::vector<Difference>& differences) {
  for (std::uint32_t array = 0; array < written_.size(); ++array) {
    std::sort(written_[array].begin(), written_[array].end(),
              [](const Written& a, const Written& b) { return a.bytes.begin < b.bytes.begin; });
    for (unsigned axis = 0; axis < 3; ++axis)
      if (legal_[axis]) check(axis, array, differences);
  }
}

/// Sweeps over the bytes. Of what was seen so far only the write that reaches farthest counts, and
/// the one that does among the other groups.
void AxisCheck::check(unsigned axis, std::uint32_t array, std::vector<Difference>& differences) {
  const std::uint32_t granularity = std::max(1u, bound_.model().axes[axis].granularity);
  const auto group = [&](const Written& one) { return coordinate(one.block, axis) / granularity; };
  const Written* farthest = nullptr;
  const Written* other = nullptr;
  for (const Written& next : written_[array]) {
    if (!farthest) {
      farthest = &next;
      continue;
    }
    const bool same_group = group(next) == group(*farthest);
    const Written* rival = same_group ? other : farthest;
    if (rival && next.bytes.begin < rival->bytes.end) {
      const char* name = bound_.model().arrays[array].name;
      differences.push_back({DifferenceKind::not_injective, next.site->where, name ? name : "",
                             "blocks " + index_text(rival->block) + " and " +
                                 index_text(next.block) + " both write " +
                                 bound_.element_text(array, next.bytes.begin) +
                                 ", but the model lets the grid be cut along axis " + "xyz"[axis] +
                                 " in groups of " + std::to_string(granularity)});
      return;
    }
    if (next.bytes.end > farthest->bytes.end) {
      if (!same_group) other = farthest;
      farthest = &next;
    } else if (!same_group && (!other || next.bytes.end > other->bytes.end)) {
      other = &next;
    }
  }
}

}  // namespace gridspan::runtime::verify
