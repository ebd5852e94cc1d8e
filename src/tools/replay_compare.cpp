// Totals, plans and results, compared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/replay_compare.h"

#include "runtime/record/archive.h"
#include "tools/replay_boxes.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <utility>

namespace gridspan::tools {
namespace {

using namespace runtime::record;

struct Totals {
  std::map<std::string, std::uint64_t> rungs;
  std::uint64_t parts = 0, alone = 0;
  MovedNote moved;
  bool is_planned = false;
};

Totals totals_of(const Recording& recording) {
  Totals totals;
  for (const auto& [number, command] : recording.commands) {
    if (const PlanNote* plan = recording.plan_of(command)) {
      totals.is_planned = true;
      ++totals.rungs[plan->rung];
      totals.parts += plan->parts.size();
    } else if (command.launch) {
      ++totals.alone;
    }
    if (!command.passed) continue;
    const MovedNote& moved = command.passed->moved;
    totals.moved.host_to_device += moved.host_to_device;
    totals.moved.device_to_host += moved.device_to_host;
    totals.moved.between_devices += moved.between_devices;
    totals.moved.within_devices += moved.within_devices;
    totals.moved.merged += moved.merged;
    totals.moved.combined += moved.combined;
  }
  // With one device, what there is to count is not counted.
  totals.is_planned |= recording.header.devices.size() > 1;
  return totals;
}

std::string row(const std::string& title, const Totals& recorded, const Totals& replayed,
                std::uint64_t first, std::uint64_t second) {
  const auto cell = [](const Totals& totals, std::uint64_t value) {
    return totals.is_planned ? std::to_string(value) : std::string("-");
  };
  char text[128];
  std::snprintf(text, sizeof text, "  %-24s %16s %16s\n", title.c_str(),
                cell(recorded, first).c_str(), cell(replayed, second).c_str());
  return text;
}

/// Equal if all their fields are.
template <class Note>
std::string bytes_of(Note note) {
  std::string bytes;
  Encoder encoder(bytes);
  note.fields(encoder);
  return bytes;
}

bool is_planned_alike(const Recording& recorded, const RecordedCommand& first,
                      const Recording& replayed, const RecordedCommand& second) {
  const PlanNote* plans[] = {recorded.plan_of(first), replayed.plan_of(second)};
  if (!plans[0] || !plans[1]) return plans[0] == plans[1];
  if (bytes_of(*plans[0]) != bytes_of(*plans[1])) return false;
  PlannedNote steps[] = {*first.planned, *second.planned};
  steps[0].plan = steps[1].plan = 0;  // each recording numbers its own
  return bytes_of(steps[0]) == bytes_of(steps[1]);
}

std::string planned_text(const Recording& recording, const RecordedCommand& command) {
  const PlanNote* plan = recording.plan_of(command);
  if (!plan) return "not planned\n";
  std::string text = plan_summary(*plan) + "\n" + plan_text(*plan);
  for (const StepNote& step : command.planned->copies) text += "  " + step_text(step) + "\n";
  return text;
}

/// Where in its buffer a packed byte of a copy was.
std::uint64_t offset_in_buffer(const RecordedCommand& command, std::uint64_t packed) {
  const CopyNote& copy = *command.copy;
  const std::uint64_t row = packed / copy.extent.width;
  return copy.from.base - command.buffer + packed % copy.extent.width +
         row % copy.extent.height * copy.from.pitch +
         row / copy.extent.height * copy.from.slice_pitch;
}

std::string difference_text(std::uint64_t number, const RecordedCommand& command,
                            std::uint64_t stretch) {
  const std::uint64_t begin = stretch * DigestNote::stretch;
  const std::uint64_t end = std::min(begin + DigestNote::stretch, command.copy->extent.bytes());
  return "the first difference: command #" + std::to_string(number) + " copies " +
         std::to_string(command.copy->extent.bytes()) + " bytes to the host; of these, bytes " +
         std::to_string(begin) + " to " + std::to_string(end - 1) +
         " are not all as recorded. They begin at offset " +
         std::to_string(offset_in_buffer(command, begin)) + " of buffer " +
         hexadecimal(command.buffer) + ".\n";
}

/// The first stretch that differs; nothing if none does.
std::optional<std::uint64_t> first_difference(const DigestNote& recorded,
                                              const std::optional<DigestNote>& replayed) {
  if (!replayed) return 0;
  const auto& first = recorded.hashes;
  const auto& second = replayed->hashes;
  if (first == second) return std::nullopt;
  const auto common = static_cast<std::ptrdiff_t>(std::min(first.size(), second.size()));
  const auto at = std::mismatch(first.begin(), first.begin() + common, second.begin()).first;
  return static_cast<std::uint64_t>(at - first.begin());
}

}  // namespace

std::string totals_text(const Recording& recorded, const Recording& replayed) {
  const Totals first = totals_of(recorded), second = totals_of(replayed);
  char head[128];
  std::snprintf(head, sizeof head, "  %-24s %16s %16s\n", "", "recorded", "replayed");
  std::string text = head;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> rungs;
  for (const auto& [rung, count] : first.rungs) rungs[rung].first = count;
  for (const auto& [rung, count] : second.rungs) rungs[rung].second = count;
  for (const auto& [rung, counts] : rungs) {
    text += row("launches " + rung, first, second, counts.first, counts.second);
  }
  if (recorded.has_places)
    text += row("launches on one alone", first, second, first.alone, second.alone);
  text += row("parts", first, second, first.parts, second.parts);
  const auto moved = [&](const char* title, std::uint64_t MovedNote::* bytes) {
    text += row(title, first, second, first.moved.*bytes, second.moved.*bytes);
  };
  moved("bytes host to device", &MovedNote::host_to_device);
  moved("bytes device to host", &MovedNote::device_to_host);
  moved("bytes between devices", &MovedNote::between_devices);
  moved("bytes within devices", &MovedNote::within_devices);
  moved("bytes merged", &MovedNote::merged);
  moved("bytes combined", &MovedNote::combined);
  return text;
}

std::string plans_text(const Recording& recorded, const Recording& replayed) {
  if (recorded.plans.empty()) return "";
  if (recorded.header.devices.size() != replayed.header.devices.size()) {
    return "recorded on " + std::to_string(recorded.header.devices.size()) +
           " devices, so that plans are not compared\n";
  }
  std::uint64_t different = 0;
  std::string first;
  for (const auto& [number, command] : recorded.commands) {
    if (!command.launch) continue;
    const auto found = replayed.commands.find(number);
    const RecordedCommand missing;
    const RecordedCommand& again = found == replayed.commands.end() ? missing : found->second;
    if (is_planned_alike(recorded, command, replayed, again)) continue;
    if (different++ > 0) continue;
    first = "the first: command #" + std::to_string(number) + ", " +
            recorded.kernel_name(*command.launch) +
            "\nrecorded: " + planned_text(recorded, command) +
            "replayed: " + planned_text(replayed, again);
  }
  if (different == 0) return "all launches are planned as they were\n";
  return std::to_string(different) + " launches are planned differently\n" + first;
}

Outcome compare_results(const Recording& recorded, const Recording& replayed) {
  const std::string none = "none";
  const std::string faults[] = {recorded.fault ? recorded.fault->fault : none,
                                replayed.fault ? replayed.fault->fault : none};
  if (faults[0] != faults[1]) {
    return {false,
            "kernels failed differently: recorded " + faults[0] + ", replayed " + faults[1] + "\n"};
  }
  std::uint64_t compared = 0;
  for (const auto& [number, command] : recorded.commands) {
    if (!command.digest || !command.copy || command.copy->extent.bytes() == 0) continue;
    ++compared;
    const auto found = replayed.commands.find(number);
    const auto again = found == replayed.commands.end() ? std::nullopt : found->second.digest;
    if (const auto stretch = first_difference(*command.digest, again)) {
      return {false, difference_text(number, command, *stretch)};
    }
  }
  if (compared == 1) return {true, "the copy to the host brought the recorded bytes\n"};
  return {true,
          "all " + std::to_string(compared) + " copies to the host brought the recorded bytes\n"};
}

}  // namespace gridspan::tools
