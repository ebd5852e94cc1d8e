// One attempt per grid axis: footprints, conflicts between parts, what can be done about them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/split.h"

#include "runtime/plan/cut.h"
#include "runtime/plan/footprints.h"
#include "runtime/plan/outline.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace gridspan::runtime {

namespace {

using abi::SetKind;
using regions::Box;
using regions::View;

constexpr std::size_t axis_count = 3;

bool is_write(SetKind kind) { return kind != SetKind::read; }

/// One set of one array of the launch.
struct SetUse {
  const BoundArray* bound;
  const abi::ModelSet* set;
  std::size_t buffer;                 // index into Attempt::buffers
  std::vector<SetFootprint> touched;  // by part
  std::vector<Box> hulls;             // by part
  bool merged = false;

  bool surely_writes(std::size_t part, const BlockBox& blocks) const {
    if (set->kind != SetKind::must_write || touched[part].widened) return false;
    const bool one_block = blocks.count.x == 1 && blocks.count.y == 1 && blocks.count.z == 1;
    const std::uint32_t needed = one_block ? abi::set_exact_block : abi::set_exact_part;
    return (set->flags & (needed | abi::set_exact_part)) != 0;
  }
};

struct Attempt {
  std::vector<CutPart> parts;
  std::vector<VirtualBuffer*> buffers;
  std::vector<View> views;  // by buffer
  std::vector<SetUse> uses;
};

/// Whether two lists of boxes have bytes in common; "yes" when telling would take too long.
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

/// Whether some part touches through `a` what another touches through `b`.
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

/// Whether anything in the buffer is read by the kernel itself.
bool is_read(const Attempt& attempt, std::size_t buffer) {
  return std::ranges::any_of(attempt.uses, [&](const SetUse& use) {
    return use.buffer == buffer && use.set->kind == SetKind::read;
  });
}

/// Whether changes of several parts may be found by comparison and put together: each element has
/// one writer (or all write the same), and no part waits for another's.
bool can_merge(const Attempt& attempt, const SetUse& use, bool injective) {
  switch (use.set->kind) {
    case SetKind::write_same:
      return true;
    case SetKind::must_write:
    case SetKind::may_write:
      return injective || !is_read(attempt, use.buffer);
    case SetKind::read:
    case SetKind::reduction:
    case SetKind::atomic:
      break;
  }
  return false;
}

std::string name_of(const SetUse& use) {
  std::string name = use.bound->array->name ? use.bound->array->name : "?";
  const abi::SourcePoint& where = use.set->where;
  if (where.file) name += " at " + std::string(where.file) + ":" + std::to_string(where.line);
  return name;
}

/// Finds what parts do to each other. Text: why they may not run on different devices.
std::optional<std::string> settle_conflicts(Attempt& attempt, const abi::KernelModel& model,
                                            bool injective) {
  const bool order_matters =
      (model.obstacles & (abi::obstacle_fence | abi::obstacle_volatile)) != 0;
  for (SetUse& a : attempt.uses) {
    if (!is_write(a.set->kind) || attempt.buffers[a.buffer]->is_shared) continue;
    for (SetUse& b : attempt.uses) {
      const bool race = b.set->kind == SetKind::read;
      if (race && !order_matters) continue;
      if (!race && &b < &a) continue;
      if (!conflict(attempt, a, b)) continue;
      if (race) return "parts read what others write: " + name_of(b);
      for (SetUse* use : {&a, &b}) {
        if (!can_merge(attempt, *use, injective)) {
          return "several parts write " + name_of(*use);
        }
        use->merged = true;
      }
    }
  }
  return std::nullopt;
}

BufferUse& use_of(PartPlan& part, VirtualBuffer* buffer, const View& view) {
  const auto found =
      std::ranges::find_if(part.uses, [&](const BufferUse& use) { return use.buffer == buffer; });
  if (found != part.uses.end()) return *found;
  return part.uses.emplace_back(BufferUse{buffer, view, {}, {}, {}, 0, {}});
}

void append(std::vector<Box>& to, const std::vector<Box>& boxes) {
  to.insert(to.end(), boxes.begin(), boxes.end());
}

/// Bytes of which each element of the array is a whole number, and starts at one.
std::uint32_t unit_of(const BoundArray& bound) {
  const auto offset = static_cast<std::uint64_t>(std::abs(bound.offset));
  return static_cast<std::uint32_t>(std::gcd(std::uint64_t{bound.array->element_bytes}, offset));
}

/// The plan of an attempt whose conflicts are settled.
LaunchPlan make_plan(const Attempt& attempt) {
  LaunchPlan plan;
  plan.rung = Rung::exact;
  const auto lower = [&plan](Rung rung, const std::string& why) {
    if (rung <= plan.rung) return;
    plan.rung = rung;
    plan.why = why;
  };
  for (std::size_t i = 0; i < attempt.parts.size(); ++i) {
    const CutPart& part = attempt.parts[i];
    PartPlan& planned =
        plan.parts.emplace_back(PartPlan{part.device, part.blocks.first, part.blocks.count, {}});
    for (const SetUse& set : attempt.uses) {
      if (attempt.buffers[set.buffer]->is_shared || set.touched[i].boxes.empty()) continue;
      BufferUse& use = use_of(planned, attempt.buffers[set.buffer], attempt.views[set.buffer]);
      const std::vector<Box>& boxes = set.touched[i].boxes;
      const bool sure = set.surely_writes(i, part.blocks);
      if (!sure || set.merged) append(use.reads, boxes);
      if (!is_write(set.set->kind)) continue;
      append(set.merged ? use.merges : use.writes, boxes);
      if (set.merged) {
        use.merge_bytes = std::gcd(use.merge_bytes, unit_of(*set.bound));
        lower(Rung::scattered, "parts may write the same places of " + name_of(set));
      } else if (!sure) {
        lower(Rung::may_write, "not surely written: " + name_of(set));
      }
    }
  }
  for (PartPlan& part : plan.parts) {
    for (BufferUse& use : part.uses) {
      append(use.changed, use.writes);
      append(use.changed, use.merges);
      use.changed = outline(use.changed);
    }
  }
  return plan;
}

/// Axes in the order in which they are tried.
std::vector<unsigned> axis_order(const abi::KernelModel& model, const abi::Dim& grid) {
  std::vector<unsigned> order;
  for (unsigned axis = 0; axis < axis_count; ++axis) {
    if (extent(grid, axis) > 1) order.push_back(axis);
  }
  std::ranges::sort(order, [&](unsigned a, unsigned b) {
    const bool a_first = static_cast<int>(a) == model.suggested_axis;
    const bool b_first = static_cast<int>(b) == model.suggested_axis;
    if (a_first != b_first) return a_first;
    return extent(grid, a) != extent(grid, b) ? extent(grid, a) > extent(grid, b) : a < b;
  });
  return order;
}

/// Bytes of buffers that are merged, over all parts.
std::int64_t merged_bytes(const LaunchPlan& plan) {
  std::int64_t bytes = 0;
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      for (const Box& box : use.merges) bytes += box.volume();
    }
  }
  return bytes;
}

LaunchPlan together(const BoundLaunch& launch, const abi::Dim& grid, std::string why) {
  Attempt attempt = touch(launch, {{0, {{0, 0, 0}, grid}}});
  LaunchPlan plan = make_plan(attempt);
  plan.rung = Rung::one_device;
  plan.why = std::move(why);
  return plan;
}

}  // namespace

const char* rung_name(Rung rung) {
  constexpr std::array<const char*, rung_count> names{"exact", "may_write", "reduction",
                                                      "scattered", "one_device"};
  return names[static_cast<std::size_t>(rung)];
}

std::vector<LaunchPlan> split(const BoundLaunch& launch, const abi::Dim& grid,
                              std::span<const std::uint32_t> speeds) {
  const abi::KernelModel& model = launch.model();
  const auto stay = [&](std::string why) {
    return std::vector<LaunchPlan>{together(launch, grid, std::move(why))};
  };
  if (speeds.size() < 2) return stay("there is one device");
  if (model.obstacles & abi::obstacle_grid_barrier) return stay("waits for the whole grid");
  if (model.obstacles & abi::obstacle_pointer_value) {
    return stay("uses the address of an array as a value");  // those at home are the program's
  }
  std::vector<LaunchPlan> plans, merging;
  std::string why_not;
  for (const unsigned axis : axis_order(model, grid)) {
    const abi::ModelAxis& described = model.axes[axis];
    Attempt attempt = touch(launch, cut(grid, axis, described.granularity, speeds));
    if (attempt.parts.size() < 2) continue;
    const bool injective = described.legal && described.legal(launch.values());
    if (auto conflict = settle_conflicts(attempt, model, injective)) {
      if (why_not.empty()) why_not = std::move(*conflict);
      continue;
    }
    LaunchPlan plan = make_plan(attempt);
    (plan.rung == Rung::scattered ? merging : plans).push_back(std::move(plan));
  }
  if (!plans.empty()) return plans;
  if (!merging.empty()) return {*std::ranges::min_element(merging, {}, merged_bytes)};
  return stay(why_not.empty() ? "too few blocks" : why_not);
}

}  // namespace gridspan::runtime
