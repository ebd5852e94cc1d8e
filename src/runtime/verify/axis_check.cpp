// May the grid be cut where the model says so?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/axis_check.h"

#include <algorithm>

namespace gridspan::runtime::verify {

namespace {

bool is_write_set(const abi::ModelSet& set) {
  return set.kind == abi::SetKind::must_write || set.kind == abi::SetKind::may_write ||
         set.kind == abi::SetKind::write_same;
}

bool is_write(const abi::AccessSite& site) {
  return site.kind == abi::RecordedKind::write || site.kind == abi::RecordedKind::atomic_write;
}

/// What a block may write through an array.
struct Footprints {
  IntervalSet alone, same;
  /// Of `same`, what no other array holds. Where arguments overlap, nobody knows through which of
  /// them a place in the code writes.
  IntervalSet certain;
};

std::vector<Footprints> footprints_of(const PartCheck& part, std::uint32_t arrays) {
  std::vector<Footprints> all(arrays);
  for (std::uint32_t array = 0; array < arrays; ++array) {
    all[array].alone = part.footprint_of_own_writes(array);
    all[array].same = all[array].certain = part.footprint_of_same_writes(array);
  }
  for (Footprints& one : all)
    for (const Footprints& other : all)
      if (&one != &other) one.certain = one.certain.minus(other.alone).minus(other.same);
  return all;
}

/// What a block wrote at one place in the code: where all store the same, by value.
void add_writes(const BlockRecord& block, const SiteRecord& record, const Footprints& footprints,
                std::vector<Written>& written) {
  const auto add = [&](const IntervalSet& bytes, Written::Claim claim, const StoredValue* value) {
    for (const Interval& part : bytes.parts())
      written.push_back({part, block.index, record.site, claim, value});
  };
  const auto& [alone, same, certain] = footprints;
  add(record.touched.intersection(alone).minus(same), Written::Claim::alone, nullptr);
  if (same.empty()) return;
  IntervalSet unknown = record.touched.intersection(same);
  for (const ValueRecord& stored : record.values) {
    const IntervalSet bytes = stored.where.intersection(certain);
    add(bytes, Written::Claim::same, &stored.value);
    unknown = unknown.minus(bytes);
  }
  add(unknown, Written::Claim::same, nullptr);
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

void AxisCheck::add(const BlockRecord& block, const PartCheck& part) {
  const auto arrays = static_cast<std::uint32_t>(written_.size());
  const std::vector<Footprints> footprints = footprints_of(part, arrays);
  for (std::uint32_t array = 0; array < arrays; ++array) {
    if (footprints[array].alone.empty() && footprints[array].same.empty()) continue;
    for (const SiteRecord& record : block.sites)
      if (is_write(*record.site) && (record.site->flags & abi::recorded_optional) == 0)
        add_writes(block, record, footprints[array], written_[array]);
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

void AxisCheck::check(unsigned axis, std::uint32_t array,
                      std::vector<Difference>& differences) const {
  const Groups groups{axis, std::max(1u, bound_.model().axes[axis].granularity)};
  const auto found = find_contradiction(written_[array], groups);
  if (!found) return;
  const char* name = bound_.model().arrays[array].name;
  differences.push_back(
      {found->is_about_values() ? DifferenceKind::other_value : DifferenceKind::not_injective,
       found->second->site->where, name ? name : "", text_of(*found, groups, array)});
}

std::string AxisCheck::text_of(const Contradiction& found, Groups groups,
                               std::uint32_t array) const {
  return "blocks " + index_text(found.first->block) + " and " + index_text(found.second->block) +
         (found.is_about_values() ? " store different values in " : " both write ") +
         bound_.element_text(array, found.address) +
         ", but the model lets the grid be cut along axis " + "xyz"[groups.axis] +
         " in groups of " + std::to_string(groups.granularity) +
         (found.is_about_values() ? " because all blocks store the same there" : "");
}

}  // namespace gridspan::runtime::verify
