// Carries out launches that devices have no room for: in rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/launcher.h"
#include "runtime/plan/packed_parts.h"
#include "runtime/plan/rounds.h"
#include "support/log.h"

namespace gridspan::runtime {

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
  const auto all = rounds(plan, packer, room);
  support::log(support::LogLevel::debug,
               "%s runs in %zu rounds: device %u has no room for its part", command.kernel->name,
               all.size(), crowded.first());
  std::vector<CopyStep> copied;
  for (const std::vector<CutPart>& round : all) {
    for (const LaunchPlan& one : plans_of(round, plan, launch)) {
      const DeviceSet without = residency_.make_room(one);
      if (without.is_empty()) {
        carry_out_round(one, command, copied);
        continue;
      }
      if (carry_out_packed(one, packer, command, copied)) continue;
      for (const PartPlan& part : one.parts) {
        CutPart piece{part.device, {part.first_block, part.block_count}};
        LaunchPlan alone = plan_alone(piece, plan, launch);
        const bool has_room = residency_.make_room(alone).is_empty();
        if (!has_room && carry_out_packed(alone, packer, command, copied)) continue;
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
/// then either.
bool Launcher::carry_out_packed(const LaunchPlan& round, const Packer& packer,
                                const KernelCommand& command, std::vector<CopyStep>& copied) {
  PackedParts packed(coherence_, residency_, packer, round);
  if (packed.is_empty()) return false;
  const LaunchPlan& rest = packed.rest();
  if (!residency_.make_room(rest).is_empty() || !packed.take_memory()) return false;
  const std::vector<CopyStep> copies = prepare(rest, Cause::read);
  if (coherence_.fault().is_set()) return true;
  for (const CopyStep& step : copies) coherence_.push_copy(step);
  packed.fill();
  packed.push(pusher_, command);
  take_over(rest);
  packed.write_back();
  for (const PartPlan& part : round.parts) {
    for (const BufferUse& use : part.uses) coherence_.settle(*use.buffer);
  }
  copied.insert(copied.end(), copies.begin(), copies.end());
  return true;
}

}  // namespace gridspan::runtime
