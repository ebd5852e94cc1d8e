// Boxes of updates, dealt out to parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/private_shares.h"

#include "runtime/plan/combine.h"
#include "runtime/plan/outline.h"
#include "runtime/regions/region.h"

#include <algorithm>

namespace gridspan::runtime {

using regions::Box;
using regions::BoxCopy;
using regions::Region;
using regions::View;

namespace {

/// Of one part; beyond that one box takes their place: to combine more than is updated changes
/// nothing.
constexpr std::size_t most_update_boxes = 64;

bool is_alike(const SetUse& a, const SetUse& b) {
  return a.buffer == b.buffer && b.set->kind == abi::SetKind::reduction && a.set->op == b.set->op &&
         a.set->update_bytes == b.set->update_bytes;
}

void simplify(SetUse& use, const View& view) {
  const auto whole_elements = view.bytes - view.bytes % use.set->update_bytes;
  for (std::size_t part = 0; part < use.touched.size(); ++part) {
    std::vector<Box>& boxes = use.touched[part].boxes;
    if (boxes.size() > most_update_boxes) {
      boxes = {hull_of(boxes)};
      use.touched[part].widened = true;
    }
    if (view.rank > 1) continue;
    for (Box& box : boxes) box[0].end = std::min(box[0].end, whole_elements);
    std::erase_if(boxes, [](const Box& box) { return box.is_empty(); });
  }
}

/// Each contiguous row of the boxes is whole elements.
bool has_whole_elements(const SetUse& use, const View& view) {
  const std::size_t bytes = use.set->update_bytes;
  std::vector<BoxCopy> copies;
  for (const SetFootprint& touched : use.touched) {
    for (const Box& box : touched.boxes) append_copies(view, box, copies);
  }
  return std::ranges::all_of(copies, [bytes](const BoxCopy& box) {
    return static_cast<std::size_t>(box.offset) % bytes == 0 && box.extent.width % bytes == 0 &&
           (box.extent.height == 1 || box.pitch % bytes == 0) &&
           (box.extent.depth == 1 || box.slice_pitch % bytes == 0);
  });
}

Region updated_by(const Attempt& attempt, const SetUse& alike, std::size_t part) {
  Region region;
  for (const SetUse& use : attempt.uses) {
    if (!use.reduced || !is_alike(alike, use)) continue;
    for (const Box& box : use.touched[part].boxes) region.add(box);
  }
  return region;
}

void append(std::vector<Box>& to, const Region& region) {
  to.insert(to.end(), region.boxes().begin(), region.boxes().end());
}

PrivateCopy private_copy(const SetUse& use, const View& view, unsigned target, Region boxes) {
  boxes.coalesce();
  PrivateCopy copy{.target = target,
                   .op = use.set->op,
                   .update_bytes = use.set->update_bytes,
                   .boxes = {},
                   .rows = {},
                   .bytes = boxes.volume()};
  append(copy.boxes, boxes);
  auto rows = std::make_shared<std::vector<BoxCopy>>();
  for (const Box& box : copy.boxes) append_copies(view, box, *rows);
  copy.rows = std::move(rows);
  return copy;
}

/// Deals out what the uses like `alike` update.
void share(const Attempt& attempt, const SetUse& alike, LaunchPlan& plan) {
  VirtualBuffer* const buffer = attempt.buffers[alike.buffer];
  const View& view = attempt.views[alike.buffer];
  std::vector<Region> own;  // by part: what it updates itself
  for (std::size_t part = 0; part < plan.parts.size(); ++part) {
    Region rest = updated_by(attempt, alike, part);
    if (!rest.empty()) {
      BufferUse& use = plan.parts[part].use_of(buffer, view);
      for (std::size_t earlier = 0; earlier < part; ++earlier) {
        Region common = rest.intersection(own[earlier]);
        if (common.empty()) continue;
        rest.subtract(own[earlier]);
        use.private_copies.push_back(
            private_copy(alike, view, plan.parts[earlier].device, std::move(common)));
      }
      rest.coalesce();
      append(use.reads, rest);
      append(use.writes, rest);
    }
    own.push_back(std::move(rest));
  }
}

}  // namespace

bool updates_alike(const SetUse& a, const SetUse& b) {
  return a.set->kind == abi::SetKind::reduction && is_alike(a, b) &&
         can_combine(a.set->op, a.set->update_bytes);
}

std::optional<std::string> settle_reductions(Attempt& attempt) {
  for (SetUse& use : attempt.uses) {
    if (!use.reduced) continue;
    for (SetUse& other : attempt.uses) other.reduced |= is_alike(use, other);
  }
  for (SetUse& use : attempt.uses) {
    if (!use.reduced) continue;
    simplify(use, attempt.views[use.buffer]);
    for (std::size_t part = 0; part < use.touched.size(); ++part) {
      use.hulls[part] = hull_of(use.touched[part].boxes);
    }
    if (!has_whole_elements(use, attempt.views[use.buffer])) {
      return "elements lie across rows: " + use.name();
    }
  }
  // A private copy holds no values: nobody may read there, or write what a copy would hide.
  for (const SetUse& use : attempt.uses) {
    if (!use.reduced) continue;
    for (const SetUse& other : attempt.uses) {
      if (is_alike(use, other) || !conflict(attempt, use, other)) continue;
      return "several parts update, and otherwise touch, " + use.name();
    }
  }
  return std::nullopt;
}

void share_reductions(const Attempt& attempt, LaunchPlan& plan) {
  std::vector<const SetUse*> done;
  for (const SetUse& use : attempt.uses) {
    if (!use.reduced) continue;
    if (std::ranges::any_of(done, [&](const SetUse* known) { return is_alike(*known, use); })) {
      continue;
    }
    share(attempt, use, plan);
    done.push_back(&use);
  }
}

}  // namespace gridspan::runtime
