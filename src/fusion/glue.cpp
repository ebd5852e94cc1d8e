// Legality of gluing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/glue.h"

#include "model/concrete.h"

#include <algorithm>

namespace gridspan::fusion {
namespace {

std::string text_of(const Block& block, const Block& grid) {
  std::string text = std::to_string(block[0]);
  if (grid[1] == 1 && grid[2] == 1) return text;
  text = "(" + text + "," + std::to_string(block[1]);
  return text + (grid[2] > 1 ? "," + std::to_string(block[2]) : "") + ")";
}

std::string text_of(const std::vector<long>& element) {
  std::string text;
  for (const long subscript : element) text += "[" + std::to_string(subscript) + "]";
  return text;
}

const char* verb(const model::Access& access) {
  switch (access.kind) {
    case model::AccessKind::read:
      return "reads";
    case model::AccessKind::write:
      return "writes";
    default:
      return "updates";
  }
}

std::string sentence(const Conflict& conflict, const Block& grid, const std::string& earlier,
                     const std::string& later) {
  const std::string& array = conflict.array;
  if (!conflict.obstacle.empty()) return conflict.obstacle;
  const std::string first = verb(*conflict.first), second = verb(*conflict.second);
  if (!conflict.meeting)
    return "a block of " + later + " " + second + " elements of " + array +
           " that another block of " + earlier + " " + first;
  const Meeting& meeting = *conflict.meeting;
  return "block " + text_of(meeting.second, grid) + " of " + later + " " + second + " " + array +
         text_of(meeting.element) + ", which block " + text_of(meeting.first, grid) + " of " +
         earlier + " " + first;
}

Glue never(const std::string& reason, const model::SourcePoint& first,
           const model::SourcePoint& second) {
  Glue glue;
  glue.reason = reason;
  glue.first = first;
  glue.second = second;
  return glue;
}

/// The conflict that holds at most launches is the one to tell; one with blocks to show before
/// others.
const Conflict& worst(const std::vector<Conflict>& conflicts) {
  const auto has_blocks = [](const Conflict& one) { return one.meeting.has_value(); };
  const auto shown = std::ranges::find_if(conflicts, has_blocks);
  return shown == conflicts.end() ? conflicts.front() : *shown;
}

/// Blocks along axes that neither launch depends on all do the same. "" where there is one;
/// "the grid has one block along y" where that is not known; nothing where there are several.
std::optional<std::string> condition_of(const Launch& launch, const Conflicts::Axes& axes) {
  std::string text;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (axes[axis] || launch.blocks[axis] == 1) continue;
    if (launch.blocks[axis] != 0) return std::nullopt;
    text +=
        (text.empty() ? "the grid has one block along " : " and ") + std::string(1, "xyz"[axis]);
  }
  return text;
}

/// Whether launches as programs make them are among these.
bool is_usual(const model::Experiment& experiment, const isl::set& launches) {
  if (experiment.launches.empty()) return true;
  return !model::ConcreteSet(launches).is_empty_at(experiment.launches.front());
}

}  // namespace

std::string short_name(const model::Kernel& kernel) {
  std::string name = kernel.readable.empty() ? kernel.name : kernel.readable;
  name = name.substr(0, name.find_first_of("(<"));
  return name.substr(name.find_last_of(" :") + 1);
}

const model::Remark* keeps_apart(const model::Kernel& kernel) {
  return kernel.remarks.empty() ? nullptr : &kernel.remarks.front();
}

Glue glue(const Joined& joined, std::span<const Launch> launches, Conflicts& conflicts,
          unsigned earlier, unsigned later) {
  const Launch &first = launches[earlier], &second = launches[later];
  if (const model::Remark* remark = keeps_apart(*first.kernel))
    return never(short_name(*first.kernel) + ": " + remark->text, remark->where, {});
  if (const model::Remark* remark = keeps_apart(*second.kernel))
    return never(short_name(*second.kernel) + ": " + remark->text, {}, remark->where);
  if (first.grid != second.grid || first.block != second.block) {
    Glue glue = never("their grids or blocks are not known to be equal", first.kernel->where,
                      second.kernel->where);
    glue.hint = "give both the same grid and block, in the same variables";
    return glue;
  }
  const auto condition = condition_of(first, conflicts.axes_of(earlier, later));
  if (!condition)
    return never("several blocks do the same, since neither asks for their index along some axis",
                 first.kernel->where, second.kernel->where);
  const std::vector<Conflict> found = conflicts.between(earlier, later);
  Glue glue;
  glue.condition = *condition;
  if (found.empty()) {
    glue.answer = Glue::Answer::always;
    glue.needs_barrier = conflicts.threads_meet(earlier, later);
    return glue;
  }
  const Conflict& shown = worst(found);
  isl::set conflicting = isl::set::empty(joined.kernel.context.space());
  for (const Conflict& conflict : found) conflicting = conflicting.unite(conflict.launches);
  if (!is_usual(conflicts.footprints().experiment(), conflicting))
    glue.answer = Glue::Answer::sometimes;
  glue.reason = (glue.answer == Glue::Answer::sometimes ? "at some launches " : "") +
                sentence(shown, conflicts.footprints().grid(), short_name(*first.kernel),
                         short_name(*second.kernel));
  glue.first = shown.first->where;
  glue.second = shown.second->where;
  glue.meeting = shown.meeting;
  return glue;
}

}  // namespace gridspan::fusion
