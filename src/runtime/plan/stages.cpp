// Interiors, by cutting off what touches each copied box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/stages.h"

#include "runtime/plan/attempt.h"
#include "runtime/plan/cut.h"
#include "runtime/plan/outline.h"
#include "runtime/plan/plan_cost.h"

#include <algorithm>

namespace gridspan::runtime {

namespace {

using regions::Box;

std::uint64_t block_count(const BlockBox& blocks) {
  return std::uint64_t{blocks.count.x} * blocks.count.y * blocks.count.z;
}

/// `blocks` without `cut` layers of blocks at the low or high end of an axis.
BlockBox without(BlockBox blocks, unsigned axis, bool low, std::uint32_t cut) {
  if (low) along(blocks.first, axis) += cut;
  along(blocks.count, axis) -= cut;
  return blocks;
}

/// The layers that `without` takes away.
BlockBox layers(BlockBox blocks, unsigned axis, bool low, std::uint32_t cut) {
  if (!low) along(blocks.first, axis) += along(blocks.count, axis) - cut;
  along(blocks.count, axis) = cut;
  return blocks;
}

/// A box that is copied, as seen from one of the two devices.
struct Copied {
  const VirtualBuffer* buffer;
  const Box* box;
  bool may_be_read;  // it is copied from the device, not to it
};

bool touches(const BoundLaunch& launch, const BlockBox& blocks, const Copied& copied) {
  for (const BoundArray& bound : launch.arrays()) {
    if (bound.buffer != copied.buffer) continue;
    for (std::uint32_t s = 0; s < bound.array->set_count; ++s) {
      const abi::ModelSet& set = bound.array->sets[s];
      if (copied.may_be_read && !is_write(set.kind)) continue;
      const auto touched = footprint(launch, bound, set, blocks, bound.buffer->view());
      if (std::ranges::any_of(touched.boxes,
                              [&](const Box& box) { return box.meets(*copied.box); }))
        return true;
    }
  }
  return false;
}

/// What is left of `blocks` when as little as possible is cut off at one end of an axis for the
/// rest not to touch `copied`. What fewer blocks touch is less, so that halving finds the cut.
std::optional<BlockBox> cut_off(const BoundLaunch& launch, const BlockBox& blocks, unsigned axis,
                                bool low, const Copied& copied) {
  const std::uint32_t most = extent(blocks.count, axis) - 1;
  if (most == 0 || touches(launch, without(blocks, axis, low, most), copied)) return std::nullopt;
  std::uint32_t too_few = 0, enough = most;
  while (enough - too_few > 1) {
    const std::uint32_t middle = too_few + (enough - too_few) / 2;
    const bool meets = touches(launch, without(blocks, axis, low, middle), copied);
    (meets ? too_few : enough) = middle;
  }
  return without(blocks, axis, low, enough);
}

/// The largest that is left by cutting at any end of any axis.
std::optional<BlockBox> largest_rest(const BoundLaunch& launch, const BlockBox& blocks,
                                     const Copied& copied) {
  std::optional<BlockBox> best;
  for (unsigned axis = 0; axis < axis_count; ++axis) {
    for (const bool low : {true, false}) {
      const auto rest = cut_off(launch, blocks, axis, low, copied);
      if (rest && (!best || block_count(*rest) > block_count(*best))) best = rest;
    }
  }
  return best;
}

std::vector<Copied> copied_boxes(unsigned device, std::span<const CopyStep> copies) {
  std::vector<Copied> boxes;
  for (const CopyStep& step : copies) {
    if (step.to != device && step.from != device) continue;
    for (const Box& box : step.touched) boxes.push_back({step.buffer, &box, step.from == device});
  }
  return boxes;
}

/// What `blocks` change.
std::vector<Piece::Change> changes(const BoundLaunch& launch, std::span<const BlockBox> blocks) {
  std::vector<Piece::Change> changes;
  for (const BoundArray& bound : launch.arrays()) {
    if (!bound.buffer) continue;
    std::vector<Box> boxes;
    for (std::uint32_t s = 0; s < bound.array->set_count; ++s) {
      const abi::ModelSet& set = bound.array->sets[s];
      if (!is_write(set.kind)) continue;
      for (const BlockBox& some : blocks) {
        const auto touched = footprint(launch, bound, set, some, bound.buffer->view());
        boxes.insert(boxes.end(), touched.boxes.begin(), touched.boxes.end());
      }
    }
    if (!boxes.empty()) changes.push_back({bound.buffer, outline(boxes)});
  }
  return changes;
}

/// `blocks` without `inner`, layer by layer.
std::vector<BlockBox> rim(const BlockBox& blocks, const BlockBox& inner) {
  std::vector<BlockBox> pieces;
  BlockBox rest = blocks;
  for (unsigned axis = axis_count; axis-- > 0;) {
    for (const bool low : {true, false}) {
      const std::uint32_t before = extent(inner.first, axis) - extent(rest.first, axis);
      const std::uint32_t cut =
          low ? before : extent(rest.count, axis) - extent(inner.count, axis) - before;
      if (cut == 0) continue;
      pieces.push_back(layers(rest, axis, low, cut));
      rest = without(rest, axis, low, cut);
    }
  }
  return pieces;
}

void add_piece(const BoundLaunch& launch, unsigned device, std::vector<BlockBox> blocks,
               std::vector<Piece>& pieces) {
  if (blocks.empty()) return;
  auto changed = changes(launch, blocks);
  pieces.push_back({device, std::move(blocks), std::move(changed)});
}

/// Blocks have no order, and each byte that parts change is changed by one of them.
bool can_be_cut(const LaunchPlan& plan, const BoundLaunch& launch) {
  return (plan.rung == Rung::exact || plan.rung == Rung::may_write) && !plan.keeps_order &&
         !plan.touches_everything && launch.obstacles() == 0;
}

/// Each piece of work costs some microseconds, and the interior makes up for a neighbour that is
/// late by as long as it takes itself, at most.
bool pays(const BoundLaunch& launch, const BlockBox& blocks, const BlockBox& inner,
          const Machine& machine) {
  constexpr double least_seconds = 10e-6;
  const double least_bytes = std::max<double>(1 << 20, machine.bytes_in(least_seconds));
  if (2 * block_count(inner) < block_count(blocks)) return false;
  const abi::Dim& grid = launch.grid();
  return static_cast<double>(block_count(inner)) * bytes_of_middle_block(launch, grid) >=
         least_bytes;
}

}  // namespace

std::optional<BlockBox> interior(const BoundLaunch& launch, const BlockBox& blocks, unsigned device,
                                 std::span<const CopyStep> copies) {
  std::optional<BlockBox> inner = blocks;
  for (const Copied& copied : copied_boxes(device, copies)) {
    if (!touches(launch, *inner, copied)) continue;
    inner = largest_rest(launch, *inner, copied);
    if (!inner) break;
  }
  return inner;
}

Stages stages(const LaunchPlan& plan, const BoundLaunch& launch, std::span<const CopyStep> copies,
              const Machine& machine, Overlap policy) {
  Stages cut;
  if (policy == Overlap::never || !can_be_cut(plan, launch)) return cut;
  for (const PartPlan& part : plan.parts) {
    const auto waits = [&](const CopyStep& step) { return step.to == part.device; };
    const BlockBox blocks{part.first_block, part.block_count};
    std::optional<BlockBox> inner;
    if (std::ranges::any_of(copies, waits)) inner = interior(launch, blocks, part.device, copies);
    if (!inner || (policy == Overlap::where_it_pays && !pays(launch, blocks, *inner, machine))) {
      add_piece(launch, part.device, {blocks}, cut.late);
      continue;
    }
    add_piece(launch, part.device, {*inner}, cut.early);
    add_piece(launch, part.device, rim(blocks, *inner), cut.late);
  }
  if (cut.early.empty()) cut.late.clear();
  return cut;
}

}  // namespace gridspan::runtime
