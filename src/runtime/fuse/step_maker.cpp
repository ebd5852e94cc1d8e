// Footprints of kernels, boxes of copies and fills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/step_maker.h"

#include "runtime/fuse/refusal.h"
#include "runtime/plan/attempt.h"
#include "runtime/plan/footprints.h"
#include "support/readable_name.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace gridspan::runtime::fuse {

namespace {

using regions::Box;

/// Of one set. Beyond, a set's bytes are those from its first to its last.
constexpr std::size_t most_boxes_of_set = 64;
/// Of a copy or fill. Beyond, nobody knows what it does to which byte.
constexpr std::size_t most_rows = 4096;

Effect effect_of(const abi::ModelSet& set, const BlockBox& part, bool is_widened) {
  const bool is_block = part.count.x == 1 && part.count.y == 1 && part.count.z == 1;
  switch (set.kind) {
    case abi::SetKind::read:
      return Effect::read;
    case abi::SetKind::must_write:
      return !is_widened && (is_block || (set.flags & abi::set_exact_part) != 0)
                 ? Effect::must_write
                 : Effect::may_write;
    case abi::SetKind::may_write:
    case abi::SetKind::write_same:
      return Effect::may_write;
    case abi::SetKind::reduction:
    case abi::SetKind::atomic:
      break;
  }
  return Effect::update;
}

/// "saxpy", without the types of parameters; of a long name, its beginning.
std::string short_name(std::string_view mangled) {
  constexpr std::size_t most_characters = 60;
  std::string name;
  int depth = 0;
  for (const char one : support::readable_name(mangled)) {
    if (one == '(') ++depth;
    if (depth == 0) name += one;
    if (one == ')') --depth;
  }
  if (name.starts_with("void ")) name.erase(0, 5);
  if (name.empty()) return std::string(mangled);
  if (name.size() > most_characters) name = name.substr(0, most_characters - 3) + "...";
  return name;
}

bool knows_memory(const abi::Kernel& kernel) {
  return kernel.model && (kernel.model->obstacles & abi::hides_memory) == 0;
}

}  // namespace

void StepMaker::add(const KernelCommand& command) {
  const abi::Kernel& kernel = *command.kernel;
  GroupStep step{
      short_name(kernel.name), true, command.shape.grid, command.shape.block, {}, {}, true, {}};
  if (!knows_memory(kernel)) {
    step.refusal = reason_apart(kernel);
    step.is_known = false;
    step.touch = [](const BlockBox&) { return std::vector<Access>(); };
    steps_.steps.push_back(std::move(step));
    return;
  }
  const BoundLaunch& launch = launches_.emplace_back(command, table_);
  step.is_known = launch.knows_all_memory();
  step.refusal = refusal_in_order(kernel, launch).value_or("");
  step.chain_refusal = refusal_of(kernel, launch).value_or("");
  for (const BoundArray& bound : launch.arrays()) meet(launch, bound);
  step.touch = [this, &launch](const BlockBox& part) { return touched(launch, part); };
  steps_.steps.push_back(std::move(step));
}

void StepMaker::add(const CopyCommand& command) {
  add_moving("copy", place_of(command.to, command.extent), place_of(command.from, command.extent),
             true);
}

void StepMaker::add(const FillCommand& command) {
  add_moving("fill", place_of(command.to, command.extent), std::nullopt, false);
}

void StepMaker::add_moving(std::string name, const std::optional<Place>& to,
                           const std::optional<Place>& from, bool has_source) {
  GroupStep step{std::move(name), false, {1, 1, 1}, {1, 1, 1}, {}, {}, true, {}};
  step.is_known = to && (from || !has_source);
  if (!step.is_known) step.refusal = "the " + step.name + " is not one of device memory alone";
  step.touch = [this, to, from](const BlockBox&) {
    std::vector<Access> all;
    if (from) append(*from, Effect::read, all);
    if (to) append(*to, Effect::must_write, all);
    return all;
  };
  steps_.steps.push_back(std::move(step));
}

std::uint32_t StepMaker::index_of(const VirtualBuffer& buffer) {
  const auto at = std::ranges::find(known_, &buffer);
  const auto index = static_cast<std::uint32_t>(at - known_.begin());
  if (at == known_.end()) {
    known_.push_back(&buffer);
    views_.push_back(buffer.view());
    steps_.buffers.push_back({buffer.allocation, buffer.view(), {}});
  }
  return index;
}

/// The first launch that sees rows in a buffer gives the view.
void StepMaker::meet(const BoundLaunch& launch, const BoundArray& bound) {
  if (!bound.buffer) return;
  const std::uint32_t index = index_of(*bound.buffer);
  if (views_[index].rank == 1) views_[index] = launch_view(launch, *bound.buffer);
  StepBuffer& buffer = steps_.buffers[index];
  buffer.view = views_[index];
  if (buffer.name.empty() && bound.array->name) buffer.name = bound.array->name;
}

std::optional<StepMaker::Place> StepMaker::place_of(const Pitched& memory, const Extent& extent) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.base);
  const VirtualBuffer* const buffer = table_.find(address);
  if (!buffer || is_host_kind(buffer->allocation.kind)) return std::nullopt;
  return Place{index_of(*buffer), static_cast<std::int64_t>(address - buffer->allocation.base),
               memory, extent};
}

std::vector<Access> StepMaker::touched(const BoundLaunch& launch, const BlockBox& part) const {
  std::vector<Access> all;
  for (const BoundArray& bound : launch.arrays()) {
    if (!bound.buffer) continue;
    const auto at = std::ranges::find(known_, bound.buffer) - known_.begin();
    const regions::View& view = views_[static_cast<std::size_t>(at)];
    for (std::uint32_t i = 0; i < bound.array->set_count; ++i) {
      const abi::ModelSet& set = bound.array->sets[i];
      const SetFootprint found =
          outlined_footprint(launch, bound, set, part, view, most_boxes_of_set);
      const Effect effect = effect_of(set, part, found.widened);
      const bool is_exact =
          !found.widened && (set.flags & (abi::set_exact_part | abi::set_exact_block)) != 0;
      std::vector<Box> boxes;
      for (const Box& box : found.boxes) append_clipped(view, box, boxes);
      for (const Box& box : boxes)
        if (!box.is_empty())
          all.push_back({static_cast<std::uint32_t>(at), effect, box, is_exact, &set});
    }
  }
  return all;
}

void StepMaker::append(const Place& place, Effect effect, std::vector<Access>& all) const {
  const regions::View& view = views_[place.buffer];
  std::vector<Box> boxes;
  const auto append_row = [&](std::size_t offset, std::size_t bytes) {
    const std::int64_t begin = place.offset + static_cast<std::int64_t>(offset);
    append_bytes(view, begin, begin + static_cast<std::int64_t>(bytes), boxes);
  };
  const auto& [width, height, depth] = place.extent;
  const bool has_whole_rows = height == 1 || place.memory.pitch == width;
  const bool has_whole_slices = depth == 1 || place.memory.slice_pitch == width * height;
  const bool is_one = has_whole_rows && has_whole_slices;
  if (is_one) {
    append_row(0, width * height * depth);
  } else if (height * depth > most_rows) {
    append_row(0,
               (depth - 1) * place.memory.slice_pitch + (height - 1) * place.memory.pitch + width);
    if (writes(effect)) effect = Effect::may_write;
  } else {
    for (std::size_t z = 0; z < depth; ++z)
      for (std::size_t y = 0; y < height; ++y)
        append_row(z * place.memory.slice_pitch + y * place.memory.pitch, width);
  }
  regions::join_all(boxes);
  const bool is_exact = is_one || height * depth <= most_rows;
  for (const Box& box : boxes) all.push_back({place.buffer, effect, box, is_exact, nullptr});
}

}  // namespace gridspan::runtime::fuse
