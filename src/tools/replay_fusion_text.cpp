// What a person reads: what repeats is said once, with how often it came.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/replay_fusion_text.h"

#include "support/format.h"
#include "tools/replay_boxes.h"
#include "tools/replay_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

namespace gridspan::tools {
namespace {

using namespace runtime::record;
using support::formatted;

/// Why neighbours in a group are not one kernel. JSON has all of them.
constexpr std::size_t most_reasons = 6;

std::string count_of(std::uint64_t count, const std::string& one) {
  return number(count) + " " + one + (count == 1 ? "" : "s");
}

std::string times(std::uint64_t count) { return count == 1 ? "" : ", " + number(count) + " times"; }

/// Texts in the order in which they first come, each with how often it does.
class Counted {
 public:
  void add(const std::string& text) {
    const auto at = std::ranges::find(all_, text, &std::pair<std::string, std::uint64_t>::first);
    if (at == all_.end())
      all_.emplace_back(text, 1);
    else
      ++at->second;
  }
  const std::vector<std::pair<std::string, std::uint64_t>>& all() const { return all_; }

 private:
  std::vector<std::pair<std::string, std::uint64_t>> all_;
};

/// After so many steps the same ones come again, to the end; all of them if they do not.
std::size_t period_of(const std::vector<FusedStepNote>& steps) {
  for (std::size_t period = 1; 2 * period <= steps.size(); ++period)
    if (std::equal(steps.begin() + static_cast<std::ptrdiff_t>(period), steps.end(), steps.begin()))
      return period;
  return steps.size();
}

std::string bytes_text(const FusedStepNote& step) {
  if (step.is_exact) return number(step.bytes);
  return step.bytes == 0 ? "unknown" : "<= " + number(step.bytes);
}

std::string step_text(const FusedStepNote& step) {
  const std::string shape =
      step.is_kernel ? extents(step.grid) + " x " + extents(step.block) : std::string();
  std::string text =
      formatted("  %-24s %-34s %14s\n", step.name.c_str(), shape.c_str(), bytes_text(step).c_str());
  if (!step.refusal.empty()) text += "    in no group: " + step.refusal + "\n";
  return text;
}

std::string steps_text(const std::vector<FusedStepNote>& steps) {
  const std::size_t period = period_of(steps);
  std::string text = formatted("  %-24s %-34s %14s\n", "step", "blocks x threads", "bytes");
  for (std::size_t i = 0; i < period; ++i) text += step_text(steps[i]);
  if (period == 0 || period == steps.size()) return text;
  text += "  ... " + number(steps.size() / period) + " times";
  if (const std::size_t rest = steps.size() % period; rest != 0)
    text += ", then the first " + (rest == 1 ? std::string("one") : number(rest)) + " again";
  return text + "\n";
}

/// The steps of the kernel.
std::vector<FusedStepNote> own_steps(const std::vector<FusedStepNote>& steps,
                                     const FusedKernelNote& kernel) {
  std::vector<FusedStepNote> own;
  for (std::uint32_t i = kernel.first; i < kernel.end; ++i)
    if (std::ranges::count(kernel.before, i) == 0) own.push_back(steps[i]);
  return own;
}

/// "a + 3 b + c"
std::string names(const std::vector<FusedStepNote>& steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t next = i + 1;
    while (next < steps.size() && steps[next].name == steps[i].name) ++next;
    text += text.empty() ? "" : " + ";
    if (next - i > 1) text += number(next - i) + " ";
    text += steps[i].name;
    i = next;
  }
  return text;
}

std::uint64_t bytes_in(const std::vector<FusedStepNote>& steps) {
  std::uint64_t bytes = 0;
  for (const FusedStepNote& step : steps) bytes += step.bytes;
  return bytes;
}

std::string kernel_text(const std::vector<FusedStepNote>& steps, const FusedKernelNote& kernel) {
  const std::vector<FusedStepNote> own = own_steps(steps, kernel);
  std::string text = names(own);
  for (const std::uint32_t step : kernel.before) text += ", behind the " + steps[step].name;
  text += ": " + number(bytes_in(own)) + " -> " + number(kernel.bytes) + " bytes";
  for (const DeadBytesNote& dead : kernel.dead)
    text += "; " + number(dead.bytes) + " bytes of '" + dead.array +
            "' need not be written: " + dead.why + " before they are read";
  return text;
}

std::string chain_text(const FusedGroupNote& group, const std::string& prefix) {
  if (!group.no_chain.empty()) return prefix + "no chain: " + group.no_chain + "\n";
  return prefix + "one chain: " + number(group.apart_bytes) + " -> " + number(group.chained_bytes) +
         " bytes at best\n" + prefix + "  here: " + group.here + "\n";
}

std::string group_text(const std::vector<FusedStepNote>& steps, const FusedGroupNote& group,
                       bool is_whole) {
  std::string text;
  std::string prefix = "  ";
  if (!is_whole) {
    text += "  steps " + number(group.first + 1) + " to " + number(group.end) + ":\n";
    prefix += "  ";
  }
  Counted kernels, apart;
  for (const FusedKernelNote& kernel : group.kernels) kernels.add(kernel_text(steps, kernel));
  for (const std::string& reason : group.apart)
    if (!reason.empty()) apart.add(reason);
  for (const auto& [kernel, count] : kernels.all())
    text += prefix + "one kernel" + times(count) + ": " + kernel + "\n";
  if (group.kernels.empty() && apart.all().empty())
    text += prefix + "one kernel would save no bytes\n";
  const std::size_t shown = std::min(apart.all().size(), most_reasons);
  for (const auto& [reason, count] : std::span(apart.all()).first(shown))
    text += prefix + "not one kernel" + times(count) + ": " + reason + "\n";
  if (shown < apart.all().size())
    text += prefix + "... and " + number(apart.all().size() - shown) + " other reasons\n";
  return text + chain_text(group, prefix);
}

std::string sequence_text(const FusionSequence& sequence) {
  const auto& steps = sequence.forecast.steps;
  std::string text = sequence.is_graph ? "graph" : "window";
  text += ", " + count_of(sequence.count, "time") + ", ended by";
  const char* separator = " ";
  for (const auto& [end, count] : sequence.ends)
    text += std::exchange(separator, ", ") + end +
            (count == sequence.count ? "" : " (" + number(count) + ")");
  text += "\n" + steps_text(steps);
  for (const FusedGroupNote& group : sequence.forecast.groups)
    text += group_text(steps, group, group.first == 0 && group.end == steps.size());
  return text + "\n";
}

std::string row(const char* title, std::uint64_t value) {
  return formatted("  %-24s %20llu\n", title, static_cast<unsigned long long>(value));
}

std::string totals_text(const FusionTotals& totals) {
  std::string text =
      "totals\n" + row("launches", totals.launches) + row("windows", totals.windows) +
      row("groups", totals.groups) + row("launches in groups", totals.launches_in_groups) +
      row("kernels of several", totals.kernels) +
      row("launches in these", totals.launches_in_kernels) + row("chains", totals.chains) +
      row("launches in chains", totals.launches_in_chains) +
      row("bytes as it is", totals.apart_bytes) + row("bytes as kernels", totals.glued_bytes) +
      row("bytes as chains", totals.chained_bytes);
  if (!totals.is_exact)
    text += "  (bytes are the most that they can be: some sets are not exact)\n";
  if (totals.unknown_launches != 0)
    text += "  (without " + count_of(totals.unknown_launches, "step") + " of unknown memory)\n";
  return text;
}

}  // namespace

std::string fusion_text(const FusionSummary& summary) {
  std::string text;
  for (const FusionSequence& sequence : summary.sequences) text += sequence_text(sequence);
  text += totals_text(summary.totals);
  if (!summary.ends.empty()) text += "windows ended by\n";
  std::vector<std::pair<std::string, std::uint64_t>> ends(summary.ends.begin(), summary.ends.end());
  std::ranges::sort(ends, [](const auto& one, const auto& other) {
    return one.second != other.second ? one.second > other.second : one.first < other.first;
  });
  for (const auto& [end, count] : ends)
    text += formatted("  %-24s %20llu\n", end.c_str(), static_cast<unsigned long long>(count));
  return text;
}

std::string fusion_json(const FusionSummary& summary) {
  using Json = nlohmann::ordered_json;
  Json sequences = Json::array();
  for (const FusionSequence& sequence : summary.sequences) {
    Json one = Json::parse(json_line(sequence.forecast));
    one.erase("kind");
    one["count"] = sequence.count;
    one["is_graph"] = sequence.is_graph;
    one["ends"] = sequence.ends;
    sequences.push_back(std::move(one));
  }
  const FusionTotals& totals = summary.totals;
  const Json all{{"launches", totals.launches},
                 {"windows", totals.windows},
                 {"groups", totals.groups},
                 {"launches_in_groups", totals.launches_in_groups},
                 {"kernels", totals.kernels},
                 {"launches_in_kernels", totals.launches_in_kernels},
                 {"chains", totals.chains},
                 {"launches_in_chains", totals.launches_in_chains},
                 {"apart_bytes", totals.apart_bytes},
                 {"glued_bytes", totals.glued_bytes},
                 {"chained_bytes", totals.chained_bytes},
                 {"is_exact", totals.is_exact},
                 {"unknown_steps", totals.unknown_launches}};
  const Json object{{"sequences", sequences}, {"totals", all}, {"ends", summary.ends}};
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gridspan::tools
