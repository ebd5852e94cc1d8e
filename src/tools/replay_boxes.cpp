// Spelling of plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/replay_boxes.h"

#include <cinttypes>
#include <cstdio>

namespace gridspan::tools {
namespace {

using namespace runtime::record;

constexpr std::size_t most_shown = 8;

std::string box_text(const BoxNote& box) {
  std::string text;
  for (std::size_t i = 0; i + 1 < box.ranges.size(); i += 2) {
    text +=
        "[" + std::to_string(box.ranges[i]) + ".." + std::to_string(box.ranges[i + 1] - 1) + "]";
  }
  return text;
}

std::string extents_text(const Extents& value) {
  return "(" + std::to_string(value.x) + ", " + std::to_string(value.y) + ", " +
         std::to_string(value.z) + ")";
}

std::string use_line(const char* verb, const std::vector<BoxNote>& boxes) {
  return boxes.empty() ? "" : std::string(" ") + verb + " " + boxes_text(boxes);
}

/// Rows of so many bytes: what the outer ranges of boxes count.
std::string view_text(const UseNote& use) {
  if (use.pitches.size() < 2) return "";
  std::string text = " (rows of " + std::to_string(use.pitches[use.pitches.size() - 2]) + " bytes";
  if (use.phase) text += ", the first begins " + std::to_string(use.phase) + " before the buffer";
  return text + ")";
}

}  // namespace

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

std::string extents(const Extents& value) {
  return "(" + number(value.x) + ", " + number(value.y) + ", " + number(value.z) + ")";
}

std::string boxes_text(const std::vector<BoxNote>& boxes) {
  std::string text;
  for (std::size_t i = 0; i < boxes.size() && i < most_shown; ++i) {
    text += (i ? " " : "") + box_text(boxes[i]);
  }
  if (boxes.size() > most_shown) {
    text += " and " + std::to_string(boxes.size() - most_shown) + " more";
  }
  return text;
}

std::string plan_summary(const PlanNote& plan) {
  std::string text = plan.rung + ", " + std::to_string(plan.parts.size());
  text += plan.parts.size() == 1 ? " part" : " parts";
  if (!plan.axis.empty()) text += " along " + plan.axis;
  return plan.why.empty() ? text : text + ": " + plan.why;
}

std::string plan_text(const PlanNote& plan) {
  std::string text;
  for (const PartNote& part : plan.parts) {
    text += "  device " + std::to_string(part.device) + ": " + extents_text(part.block_count) +
            " blocks from " + extents_text(part.first_block) + "\n";
    for (const UseNote& use : part.uses) {
      text += "    " + hexadecimal(use.buffer) + view_text(use) + use_line("reads", use.reads) +
              use_line("writes", use.writes) + use_line("merges", use.merges);
      for (const PrivateNote& copy : use.private_copies) {
        text += " updates a copy of " + boxes_text(copy.boxes) + " for device " +
                std::to_string(copy.target);
      }
      text += "\n";
    }
  }
  if (plan.touches_everything) text += "  may touch all memory\n";
  if (plan.keeps_order) text += "  keeps its order with everything\n";
  return text;
}

std::string step_text(const StepNote& step) {
  return "copy " + std::to_string(step.bytes) + " bytes of " + hexadecimal(step.buffer) +
         " from device " + std::to_string(step.from) + " to " + std::to_string(step.to) + ": " +
         boxes_text(step.boxes);
}

}  // namespace gridspan::tools
