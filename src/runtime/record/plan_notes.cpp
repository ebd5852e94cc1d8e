// Boxes, uses, parts and copies in the words of log_records.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/plan_notes.h"

#include "runtime/record/archive.h"

namespace gridspan::runtime::record {

namespace {

std::vector<BoxNote> notes_of(const std::vector<regions::Box>& boxes) {
  std::vector<BoxNote> notes;
  for (const regions::Box& box : boxes) {
    BoxNote& note = notes.emplace_back();
    for (int i = 0; i < box.rank; ++i) {
      note.ranges.push_back(box[i].begin);
      note.ranges.push_back(box[i].end);
    }
  }
  return notes;
}

UseNote note_of(const BufferUse& use) {
  UseNote note;
  note.buffer = use.buffer->allocation.base;
  for (int i = 0; i < use.view.rank; ++i) note.pitches.push_back(use.view.pitch(i));
  note.phase = use.view.phase;
  note.reads = notes_of(use.reads);
  note.writes = notes_of(use.writes);
  note.merges = notes_of(use.merges);
  for (const PrivateCopy& copy : use.private_copies) {
    note.private_copies.push_back(
        {copy.target, static_cast<std::uint32_t>(copy.op), notes_of(copy.boxes)});
  }
  return note;
}

/// The axes along which parts begin at different blocks.
std::string axes_of(const LaunchPlan& plan) {
  const abi::Dim& first = plan.parts.front().first_block;
  const abi::Dim& last = plan.parts.back().first_block;
  std::string axes;
  if (first.x != last.x) axes += "x";
  if (first.y != last.y) axes += "y";
  if (first.z != last.z) axes += "z";
  return axes;
}

PlanNote note_of(const LaunchPlan& plan) {
  PlanNote note;
  note.rung = rung_name(plan.rung);
  note.why = plan.why;
  if (!plan.parts.empty()) note.axis = axes_of(plan);
  note.touches_everything = plan.touches_everything;
  note.keeps_order = plan.keeps_order;
  for (const PartPlan& part : plan.parts) {
    PartNote& one = note.parts.emplace_back();
    one.device = part.device;
    one.first_block = extents_of(part.first_block);
    one.block_count = extents_of(part.block_count);
    for (const BufferUse& use : part.uses) one.uses.push_back(note_of(use));
  }
  return note;
}

}  // namespace

void PlanNotes::write(std::uint64_t command, const LaunchPlan& plan,
                      std::span<const CopyStep> copies) {
  PlannedNote planned{command, number(note_of(plan)), {}};
  for (const CopyStep& step : copies) {
    planned.copies.push_back(
        {step.buffer->allocation.base, step.from, step.to, step.bytes, notes_of(step.touched)});
  }
  recorder_.write(std::move(planned));
}

std::uint64_t PlanNotes::number(PlanNote note) {
  std::string bytes;
  Encoder encoder(bytes);
  note.fields(encoder);
  const auto [place, is_new] = numbers_.try_emplace(std::move(bytes), numbers_.size());
  if (is_new) recorder_.write(std::move(note));
  return place->second;
}

MovedNote moved(const Traffic& traffic) {
  return {traffic.from_host.bytes.get(), traffic.to_host.bytes.get(), traffic.between.bytes.get(),
          traffic.within.bytes.get(),    traffic.merged.bytes.get(),  traffic.combined.bytes.get()};
}

MovedNote moved_since(const MovedNote& before, const MovedNote& after) {
  return {after.host_to_device - before.host_to_device,
          after.device_to_host - before.device_to_host,
          after.between_devices - before.between_devices,
          after.within_devices - before.within_devices,
          after.merged - before.merged,
          after.combined - before.combined};
}

}  // namespace gridspan::runtime::record
