// Carries out launches that devices have no room for: in rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/launcher.h"
#include "runtime/plan/packed_parts.h"
#include "runtime/plan/rounds.h"
#include "support/log.h"

#include <algorithm>
#include <utility>

namespace gridspan::runtime {

namespace {

/// No piece sees or writes what another one does, whichever come first. Pieces in their order may
/// also be cut where later blocks write what earlier ones did.
bool has_any_order(const LaunchPlan& plan, const BoundLaunch& launch,
                   std::span<const std::vector<CutPart>> rounds) {
  const auto only_reads_or_writes = [](const PartPlan& part) {
    return std::ranges::all_of(
        part.uses, [](const BufferUse& use) { return use.reads.empty() || use.changed.empty(); });
  };
  if (plan.rung != Rung::exact || plan.keeps_order ||
      !std::ranges::all_of(plan.parts, only_reads_or_writes))
    return false;
  for (unsigned axis = 0; axis < axis_count; ++axis) {
    const auto is_cut = [&](const CutPart& piece) {
      return extent(piece.blocks.count, axis) < extent(launch.grid(), axis);
    };
    const bool any_is_cut = std::ranges::any_of(
        rounds, [&](const auto& round) { return std::ranges::any_of(round, is_cut); });
    if (any_is_cut && (!launch.is_injective(axis) || launch.granularity(axis) != 1)) return false;
  }
  return true;
}

}  // namespace

/// Returns what was copied.
std::vector<CopyStep> Launcher::launch_in_rounds(const LaunchPlan& plan, DeviceSet crowded,
                                                 const KernelCommand& command) {
  coherence_.traffic().in_rounds.add(1);
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) coherence_.see_as(*use.buffer, use.view);
  }
  Room room = residency_.room();
  for (unsigned device = 1; device < room.size(); ++device) {
    if (plan.demand->impossible.contains(device)) room[device] = 0;
  }
  const BoundLaunch launch(command, buffers_);
  const Packer packer(launch, command, coherence_);
  const DeviceSet in_turns = stream(plan);
  auto all = rounds(plan, packer, room, in_turns);
  // What the last rounds of the launch before used has memory: they come first.
  if (has_any_order(plan, launch, all) && std::exchange(is_backwards_, !is_backwards_))
    std::ranges::reverse(all);
  support::log(support::LogLevel::debug,
               "%s runs in %zu rounds: device %u has no room for its part", command.kernel->name,
               all.size(), crowded.first());
  std::vector<CopyStep> copied;
  std::unique_ptr<PackedParts> before;
  for (const std::vector<CutPart>& round : all) {
    constexpr std::ptrdiff_t staying = 2;  // rounds that the next launch may begin with
    const bool stays = &all.back() - &round < staying;
    for (const LaunchPlan& one : plans_of(round, plan, launch)) {
      const DeviceSet without = residency_.make_room(one);
      if (without.is_empty()) {
        carry_out_round(one, command, copied);
        if (!stays && !in_turns.is_empty()) write_behind(one, copied);
        continue;
      }
      if (carry_out_packed(one, packer, command, copied, before)) continue;
      before.reset();
      for (const PartPlan& part : one.parts) {
        CutPart piece{part.device, {part.first_block, part.block_count}};
        LaunchPlan alone = plan_alone(piece, plan, launch);
        const bool has_room = residency_.make_room(alone).is_empty();
        if (!has_room && carry_out_packed(alone, packer, command, copied, before)) continue;
        before.reset();
        if (!has_room) {
          piece.device = 0;
          alone = plan_alone(piece, plan, launch);
        }
        carry_out_round(alone, command, copied);
      }
    }
  }
  return copied;
}

/// What devices of limited memory get from home comes beside their kernels from now on: those for
/// which that is so.
DeviceSet Launcher::stream(const LaunchPlan& plan) {
  DeviceSet streaming;
  for (const PartPlan& part : plan.parts) {
    if (!residency_.is_limited(part.device) || !coherence_.lane(part.device).has_copiers())
      continue;
    streaming = streaming.with(part.device);
    for (const BufferUse& use : part.uses) {
      VirtualBuffer& buffer = *use.buffer;
      if (buffer.is_shared) continue;
      // What is copied once more is likely to be copied often.
      const bool is_known = buffer.streamed.contains(part.device);
      if (is_known && lock_pages_ && !std::exchange(buffer.was_locked, true))
        lock_pages_(buffer.allocation.base);
      coherence_.stream(buffer, part.device);
    }
  }
  return streaming;
}

/// What the round wrote is copied home while later ones run: to evict it then costs nothing.
void Launcher::write_behind(const LaunchPlan& round, std::vector<CopyStep>& copied) {
  if (!coherence_.policy().keeps_replicas || !coherence_.policy().moves) return;
  for (const PartPlan& part : round.parts) {
    if (!residency_.is_limited(part.device)) continue;
    for (const BufferUse& use : part.uses) {
      std::vector<CopyStep> copies;
      coherence_.find_copies(*use.buffer, 0, use.writes, Cause::eviction, copies);
      for (const CopyStep& step : copies) {
        coherence_.push_copy(step);
        coherence_.traffic().written_back.add(step.bytes);
      }
      copied.insert(copied.end(), copies.begin(), copies.end());
    }
  }
}

/// There is room for it.
void Launcher::carry_out_round(const LaunchPlan& round, const KernelCommand& command,
                               std::vector<CopyStep>& copied) {
  Recipe recipe;
  recipe.plan = &round;
  recipe.copies = prepare(round, Cause::read);
  carry_out(recipe, {}, command);
  take_over(round);
  for (const PartPlan& part : round.parts) {
    for (const BufferUse& use : part.uses) coherence_.settle(*use.buffer);
  }
  copied.insert(copied.end(), recipe.copies.begin(), recipe.copies.end());
}

/// With packed boxes where these save memory; false, and nothing has happened, if there is no room
/// then either. `before`: those of the round before, which lasts until this one is on its way if
/// there is room for both; then this one's.
bool Launcher::carry_out_packed(const LaunchPlan& round, const Packer& packer,
                                const KernelCommand& command, std::vector<CopyStep>& copied,
                                std::unique_ptr<PackedParts>& before) {
  auto packed = std::make_unique<PackedParts>(coherence_, residency_, packer, round);
  if (packed->is_empty()) return false;
  const LaunchPlan& rest = packed->rest();
  const auto has_room = [&] {
    return residency_.make_room(rest).is_empty() && packed->take_memory();
  };
  if (!has_room()) {
    if (!before) return false;
    before.reset();
    if (!has_room()) return false;
  }
  const std::vector<CopyStep> copies = prepare(rest, Cause::read);
  if (coherence_.fault().is_set()) return true;
  for (const CopyStep& step : copies) coherence_.push_copy(step);
  packed->fill();
  packed->push(pusher_, command);
  take_over(rest);
  packed->write_back();
  for (const PartPlan& part : round.parts) {
    for (const BufferUse& use : part.uses) coherence_.settle(*use.buffer);
  }
  copied.insert(copied.end(), copies.begin(), copies.end());
  before = std::move(packed);
  return true;
}

}  // namespace gridspan::runtime
