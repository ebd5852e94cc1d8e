// Counting kernels by what is said of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explain_summary.h"

#include "tools/phrases.h"
#include "tools/remarks.h"

#include <algorithm>
#include <map>

namespace gridspan::tools {
namespace {

/// Kernels by reason, the most frequent first.
class Reasons {
 public:
  void add(const std::string& reason, const ExplainedKernel& kernel) {
    kernels_[reason].push_back(short_name(kernel.readable));
    ++count_;
  }
  std::size_t count() const { return count_; }

  std::string lines() const {
    std::vector<std::pair<std::string, std::vector<std::string>>> sorted(kernels_.begin(),
                                                                         kernels_.end());
    std::ranges::sort(sorted, [](const auto& a, const auto& b) {
      return a.second.size() != b.second.size() ? a.second.size() > b.second.size()
                                                : a.first < b.first;
    });
    std::string text;
    for (const auto& [reason, names] : sorted)
      text += "    " + std::to_string(names.size()) + "  " + reason + ": " + listed(names) + "\n";
    return text;
  }

 private:
  /// Without parameters, which would fill the line.
  static std::string short_name(const std::string& readable) {
    constexpr std::size_t longest = 48;
    std::string name = readable.substr(0, readable.find('('));
    if (name.starts_with("void ")) name = name.substr(5);
    return name.size() > longest ? name.substr(0, longest - 2) + "..." : name;
  }

  static std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most_named = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i)
      text += (i ? ", " : "") + names[i];
    if (names.size() > most_named)
      text += ", and " + std::to_string(names.size() - most_named) + " more";
    return text;
  }

  std::map<std::string, std::vector<std::string>> kernels_;
  std::size_t count_ = 0;
};

/// What differs from kernel to kernel, the place, is left to the report.
std::string without_place(std::string reason) {
  const std::size_t at = reason.rfind(" at "), colon = reason.rfind(':');
  if (at != std::string::npos && colon != std::string::npos && at < colon) reason.resize(at);
  return reason;
}

std::string why_unsplit(const model::Kernel& kernel, const Notation& notation) {
  if (!kernel.rung_reason.empty()) return without_place(kernel.rung_reason);
  for (int axis = 0; axis < 3; ++axis)
    if (uses_axis(kernel, axis) && !kernel.axes[axis].reason.empty())
      return without_place(notation.spelt(kernel.axes[axis].reason));
  if (!kernel.remarks.empty()) return kernel.remarks.front().text;
  return "blocks may write the same elements";
}

std::string section(const std::string& title, const Reasons& reasons) {
  if (reasons.count() == 0) return "";
  return "  " + title + "\n" + reasons.lines();
}

}  // namespace

std::string explain_summary(const std::vector<ExplainedModule>& modules) {
  std::size_t count = 0;
  Reasons unsplit, fibers, no_gpu;
  for (const ExplainedModule& module : modules)
    for (const ExplainedKernel& kernel : module.kernels) {
      ++count;
      if (!kernel.model)
        unsplit.add("has no model", kernel);
      else if (!can_be_split(*kernel.model))
        unsplit.add(why_unsplit(*kernel.model, Notation(*kernel.model)), kernel);
      if (!kernel.cpu) continue;
      if (kernel.cpu->text("executor") == "fibers")
        fibers.add(without_place(kernel.cpu->text("reason")), kernel);
      if (const std::string& why = kernel.cpu->text("gpu.reason"); !why.empty())
        no_gpu.add(why, kernel);
    }
  if (count < 2) return "";
  const std::string summary = counted(count, "kernel", "kernels") + ": " +
                              std::to_string(count - unsplit.count()) + " can be split";
  return summary + "\n" + section("run on one device", unsplit) +
         section("run on fibers, one a thread (slow)", fibers) +
         section("have no code for GPUs", no_gpu) + "\n";
}

}  // namespace gridspan::tools
