// Pieces that fit, and their plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/rounds.h"

#include "runtime/plan/attempt.h"
#include "runtime/plan/attempt_plan.h"
#include "runtime/plan/conflicts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace gridspan::runtime {

namespace {

using regions::Box;

/// Of one part; beyond, the rest is done at home.
constexpr std::size_t most_pieces = 1 << 14;
/// Pairs of boxes looked at to find what they have in common.
constexpr std::size_t most_pairs = 1 << 20;

/// Cuts one part.
class Cutter {
 public:
  /// `packs`: arrays may be packed boxes.
  Cutter(const Packer& packer, bool packs, unsigned device, std::uint64_t room)
      : launch_(packer.launch()), packer_(packer), packs_(packs), device_(device), room_(room) {}

  void cut(const BlockBox& blocks) {
    if (room_ != 0 && touched(blocks) <= room_) return pieces.push_back({device_, blocks});
    const BlockBox first{blocks.first, {1, 1, 1}};
    const bool can_fit = room_ != 0 && touched(first) <= room_ && pieces.size() < most_pieces;
    const auto halves = can_fit ? best_halves(blocks) : std::nullopt;
    if (!halves) return pieces.push_back({0, blocks});
    cut(halves->first);
    cut(halves->second);
  }

  std::vector<CutPart> pieces;

 private:
  using Halves = std::pair<BlockBox, BlockBox>;

  std::uint64_t touched(const BlockBox& blocks) const {
    const Attempt attempt = touch(launch_, {{device_, blocks}});
    std::vector<std::vector<Box>> boxes(attempt.buffers.size());
    for (const SetUse& use : attempt.uses) {
      const std::vector<Box>& touched = use.touched.front().boxes;
      boxes[use.buffer].insert(boxes[use.buffer].end(), touched.begin(), touched.end());
    }
    Demand demand;
    std::uint64_t packed = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      VirtualBuffer& buffer = *attempt.buffers[i];
      const regions::View& view = attempt.views[i];
      const auto box = packs_ ? packer_.box_for(buffer, device_, view, boxes[i]) : std::nullopt;
      if (box)
        packed += packer_.memory_for(*box, device_);
      else
        demand.add(buffer, device_, view, boxes[i]);
    }
    demand.tidy();
    return packed + demand.bytes(device_);
  }

  Halves halves(const BlockBox& blocks, unsigned axis) const {
    const std::uint32_t unit = launch_.granularity(axis);
    std::uint32_t middle = extent(blocks.count, axis) / 2;
    if (middle > unit) middle -= middle % unit;
    Halves both{blocks, blocks};
    along(both.first.count, axis) = middle;
    along(both.second.first, axis) += middle;
    along(both.second.count, axis) -= middle;
    return both;
  }

  std::optional<Halves> best_halves(const BlockBox& blocks) const {
    std::optional<Halves> best;
    std::uint64_t least = 0;
    for (unsigned axis = axis_count; axis-- > 0;) {
      if (extent(blocks.count, axis) < 2) continue;
      const Halves both = halves(blocks, axis);
      const std::uint64_t most = std::max(touched(both.first), touched(both.second));
      if (best && most >= least) continue;
      best = both;
      least = most;
    }
    return best;
  }

  const BoundLaunch& launch_;
  const Packer& packer_;
  const bool packs_;
  const unsigned device_;
  const std::uint64_t room_;
};

bool shares_writes(const LaunchPlan& plan) {
  return plan.rung == Rung::reduction || plan.rung == Rung::scattered;
}

bool is_within(const BlockBox& inner, const PartPlan& part) {
  for (unsigned axis = 0; axis < axis_count; ++axis) {
    const std::uint64_t first = extent(inner.first, axis), begin = extent(part.first_block, axis);
    if (first < begin || first + extent(inner.count, axis) > begin + extent(part.block_count, axis))
      return false;
  }
  return true;
}

/// `boxes` as far as they are in `within`; nothing if that takes too long.
std::optional<std::vector<Box>> common(const std::vector<Box>& boxes,
                                       const std::vector<Box>& within) {
  if (boxes.size() * within.size() > most_pairs) return std::nullopt;
  std::vector<Box> found;
  for (const Box& box : boxes) {
    for (const Box& outer : within) {
      if (box.meets(outer)) found.push_back(box.intersection(outer));
    }
  }
  return found;
}

/// What pieces of different parts write is kept apart: the parts were, but a piece may be known
/// less well than its part. False if that can't be done.
bool keep_within(LaunchPlan& round, const LaunchPlan& plan) {
  for (PartPlan& piece : round.parts) {
    const auto part = std::ranges::find_if(plan.parts, [&](const PartPlan& one) {
      return is_within({piece.first_block, piece.block_count}, one);
    });
    if (part == plan.parts.end()) return false;
    for (BufferUse& use : piece.uses) {
      if (use.writes.empty()) continue;
      const auto known = std::ranges::find(part->uses, use.buffer, &BufferUse::buffer);
      if (known == part->uses.end() || known->view != use.view) return false;
      auto writes = common(use.writes, known->writes);
      if (!writes) return false;
      use.writes = std::move(*writes);
    }
  }
  return true;
}

bool is_busy(const std::vector<CutPart>& round, unsigned device) {
  return std::ranges::any_of(round,
                             [device](const CutPart& piece) { return piece.device == device; });
}

LaunchPlan made_of(const Attempt& attempt, const LaunchPlan& plan) {
  LaunchPlan made = make_plan(attempt);
  made.why = plan.why;
  made.pointers = plan.pointers;
  made.keeps_order = plan.keeps_order;
  return made;
}

}  // namespace

bool has_free_blocks(const BoundLaunch& launch) {
  constexpr std::uint32_t harmless =
      abi::obstacle_printf | abi::obstacle_trap | abi::obstacle_clock;
  return (launch.obstacles() & ~harmless) == 0;
}

std::vector<std::vector<CutPart>> rounds(const LaunchPlan& plan, const Packer& packer,
                                         const Room& room, DeviceSet in_turns) {
  const BoundLaunch& launch = packer.launch();
  if (!has_free_blocks(launch)) {
    return {{{0, {{0, 0, 0}, launch.grid()}}}};
  }
  std::vector<std::vector<CutPart>> found;
  for (const PartPlan& part : plan.parts) {
    const auto pieces_for = [&](std::uint64_t bytes) {
      Cutter cutter(packer, !shares_writes(plan), part.device, bytes);
      cutter.cut({part.first_block, part.block_count});
      return cutter.pieces;
    };
    const std::uint64_t most = part.device == 0 ? ~std::uint64_t{0} : room[part.device];
    std::vector<CutPart> pieces = pieces_for(in_turns.contains(part.device) ? most / 2 : most);
    if (in_turns.contains(part.device) && is_busy(pieces, 0)) pieces = pieces_for(most);
    std::size_t next = 0;  // after the part's last piece: they may change the same places
    for (const CutPart& piece : pieces) {
      while (next < found.size() && is_busy(found[next], piece.device)) ++next;
      if (next == found.size()) found.emplace_back();
      found[next++].push_back(piece);
    }
  }
  return found;
}

std::vector<LaunchPlan> plans_of(std::span<const CutPart> round, const LaunchPlan& plan,
                                 const BoundLaunch& launch) {
  std::vector<LaunchPlan> plans;
  Attempt attempt = touch(launch, {round.begin(), round.end()});
  const bool shares = shares_writes(plan) && round.size() > 1;
  if (!shares || !settle_conflicts(attempt, launch.obstacles(), false)) {
    plans.push_back(made_of(attempt, plan));
    if (round.size() == 1 || shares || keep_within(plans.back(), plan)) return plans;
    plans.clear();
  }
  for (const CutPart& piece : round) plans.push_back(plan_alone(piece, plan, launch));
  return plans;
}

LaunchPlan plan_alone(const CutPart& piece, const LaunchPlan& plan, const BoundLaunch& launch) {
  return made_of(touch(launch, {piece}), plan);
}

}  // namespace gridspan::runtime
