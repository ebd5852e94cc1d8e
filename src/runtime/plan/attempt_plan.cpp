// Rung, parts and uses of an attempt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/attempt_plan.h"

#include "runtime/plan/outline.h"
#include "runtime/plan/private_shares.h"
#include "runtime/regions/region.h"

#include <cstdlib>
#include <numeric>

namespace gridspan::runtime {

namespace {

using regions::Box;

void append(std::vector<Box>& to, const std::vector<Box>& boxes) {
  to.insert(to.end(), boxes.begin(), boxes.end());
}

void lower(LaunchPlan& plan, Rung rung, const std::string& why) {
  if (rung <= plan.rung) return;
  plan.rung = rung;
  plan.why = why;
}

/// Bytes of which each element of the array is a whole number, and starts at one.
std::uint32_t unit_of(const BoundArray& bound) {
  const auto offset = static_cast<std::uint64_t>(std::abs(bound.offset));
  return static_cast<std::uint32_t>(std::gcd(std::uint64_t{bound.array->element_bytes}, offset));
}

/// What part `i` does through `set`, which it shares with no other part, or only by merging.
void add_use(const Attempt& attempt, const SetUse& set, std::size_t i, LaunchPlan& plan) {
  BufferUse& use = plan.parts[i].use_of(attempt.buffers[set.buffer], attempt.views[set.buffer]);
  const std::vector<Box>& boxes = set.touched[i].boxes;
  const bool exact = set.is_exact(i, attempt.parts[i].blocks);
  const abi::SetKind kind = set.set->kind;
  const bool replaced = exact && kind == abi::SetKind::must_write && !set.merged;
  if (!replaced) append(use.reads, boxes);
  if (!is_write(kind)) return;
  append(set.merged ? use.merges : use.writes, boxes);
  if (set.merged) {
    use.merge_bytes = std::gcd(use.merge_bytes, unit_of(*set.bound));
    lower(plan, Rung::scattered, "parts may write the same places of " + set.name());
  } else if (!replaced && !(exact && kind == abi::SetKind::reduction)) {
    lower(plan, Rung::may_write, "not surely written: " + set.name());
  }
}

/// Boxes that together are one become one.
void join_boxes(std::vector<Box>& boxes) {
  std::size_t kept = 0;
  for (std::size_t next = 0; next < boxes.size(); ++next) {
    Box box = boxes[next];
    // What grew may fit to those it did not fit to before.
    for (std::size_t i = 0; i < kept;) {
      if (!regions::join(box, boxes[i])) {
        ++i;
        continue;
      }
      boxes[i] = boxes[--kept];
      i = 0;
    }
    boxes[kept++] = box;
  }
  boxes.resize(kept);
}

/// Accesses beside each other touch nearly the same boxes: what they have in common is kept once,
/// so that it is counted and looked up once.
void drop_overlaps(std::vector<Box>& boxes) {
  constexpr std::size_t few = 32;
  regions::join_all(boxes);
  if (boxes.size() < 2 || boxes.size() > few) return;
  join_boxes(boxes);
  if (boxes.size() < 2) return;
  regions::Region region;
  for (const Box& box : boxes) region.add(box);
  boxes.assign(region.boxes().begin(), region.boxes().end());
}

void tidy_uses(LaunchPlan& plan) {
  for (PartPlan& part : plan.parts) {
    for (BufferUse& use : part.uses) {
      drop_overlaps(use.reads);
      drop_overlaps(use.writes);
      append(use.changed, use.writes);
      append(use.changed, use.merges);
      for (const PrivateCopy& copy : use.private_copies) append(use.changed, copy.boxes);
      use.changed = outline(use.changed);
    }
  }
}

}  // namespace

LaunchPlan make_plan(const Attempt& attempt) {
  LaunchPlan plan;
  plan.rung = Rung::exact;
  plan.parts.reserve(attempt.parts.size());
  for (const CutPart& part : attempt.parts) {
    plan.parts.push_back({part.device, part.blocks.first, part.blocks.count, {}});
    plan.parts.back().uses.reserve(attempt.buffers.size());
  }
  for (const SetUse& set : attempt.uses) {
    if (attempt.buffers[set.buffer]->is_shared) continue;
    if (set.reduced) lower(plan, Rung::reduction, "several parts update " + set.name());
    for (std::size_t i = 0; i < attempt.parts.size() && !set.reduced; ++i) {
      if (!set.touched[i].boxes.empty()) add_use(attempt, set, i, plan);
    }
  }
  share_reductions(attempt, plan);
  tidy_uses(plan);
  return plan;
}

}  // namespace gridspan::runtime
