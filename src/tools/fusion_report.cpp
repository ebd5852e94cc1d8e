// Verdicts from partitions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/fusion_report.h"

#include "fusion/partition.h"
#include "tools/notation.h"

#include <algorithm>

namespace gridspan::tools {
namespace {

using fusion::Bytes;
using fusion::Formula;
using fusion::Group;
using fusion::Partition;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// Verdicts about one stretch.
class FusionReport {
 public:
  FusionReport(const fusion::Stretch& stretch, const Partition& partition)
      : stretch_(stretch), partition_(partition), notation_(partition.joined.kernel) {}
  std::vector<FusionVerdict> verdicts() const;

 private:
  std::string text(const Formula& formula) const {
    return formula.text([&](const std::string& name) { return notation_.name(name); });
  }
  std::string as_one_kernel(const Bytes& bytes) const;
  std::string as_chain(const Bytes& bytes) const;
  std::string known(const Bytes& bytes, std::string text) const;
  std::string how(const Group& group) const;
  FusionVerdict of_group(const Group& group) const;
  FusionVerdict of_border(unsigned second) const;

  const fusion::Stretch& stretch_;
  const Partition& partition_;
  Notation notation_;
};

/// The formula, with what is not known.
std::string FusionReport::known(const Bytes& bytes, std::string text) const {
  if (bytes.apart == Formula() && !bytes.unknown.empty())
    return "how many bytes of " + listed(bytes.unknown) + " is not known";
  if (!bytes.is_exact) text = "at most " + text;
  if (!bytes.unknown.empty()) text += ", and not known how many of " + listed(bytes.unknown);
  return text;
}

std::string FusionReport::as_one_kernel(const Bytes& bytes) const {
  std::string made = text(bytes.apart) + " -> " + text(bytes.together) + " bytes";
  if (!bytes.passed.empty())
    made += " (" + text(bytes.least) + " if " + listed(bytes.passed) +
            (bytes.passed.size() == 1 ? " is" : " are") + " not read afterwards)";
  return known(bytes, made);
}

std::string FusionReport::as_chain(const Bytes& bytes) const {
  return known(bytes, text(bytes.apart) + " -> " + text(bytes.together) + " bytes");
}

/// "; values may stay in registers, if the grid has one block along y".
std::string FusionReport::how(const Group& group) const {
  bool needs_barrier = false;
  std::string condition;
  for (unsigned later = group.first + 1; later < group.end; ++later)
    for (unsigned earlier = group.first; earlier < later; ++earlier) {
      const fusion::Glue& glue = partition_.glues.at({earlier, later});
      needs_barrier = needs_barrier || glue.needs_barrier;
      if (condition.empty()) condition = glue.condition;
    }
  return (needs_barrier ? "; with a barrier between" : "; values may stay in registers") +
         (condition.empty() ? "" : "; if " + condition);
}

FusionVerdict FusionReport::of_group(const Group& group) const {
  FusionVerdict verdict;
  verdict.kind = FusionVerdict::Kind::one_kernel;
  verdict.steps.assign(stretch_.steps.begin() + group.first, stretch_.steps.begin() + group.end);
  verdict.turn = stretch_.turn;
  verdict.bytes = as_one_kernel(group.bytes) + how(group);
  return verdict;
}

/// Of the launch before `second` and that.
FusionVerdict FusionReport::of_border(unsigned second) const {
  FusionVerdict verdict;
  verdict.steps = {stretch_.steps[second - 1], stretch_.steps[second]};
  verdict.turn = stretch_.turn;
  const Partition::Next& next = partition_.next[second - 1];
  const auto asked = partition_.glues.find({second - 1, second});
  if (asked != partition_.glues.end()) {
    const fusion::Glue& glue = asked->second;
    verdict.reason = glue.reason;
    verdict.hint = glue.hint;
    verdict.first = glue.first;
    verdict.second = glue.second;
    if (glue.answer == fusion::Glue::Answer::always && !next.bytes.unknown.empty())
      verdict.reason = "how many bytes they move is not known, of " + listed(next.bytes.unknown);
  }
  if (next.order.is_free) {
    verdict.kind = next.pays ? FusionVerdict::Kind::chain : FusionVerdict::Kind::useless;
    verdict.bytes = as_chain(next.bytes);
  } else if (next.order.reason != verdict.reason) {
    verdict.reason += (verdict.reason.empty() ? "" : "; no chain either: ") + next.order.reason;
  }
  return verdict;
}

std::vector<FusionVerdict> FusionReport::verdicts() const {
  std::vector<FusionVerdict> all;
  for (const Group& group : partition_.groups)
    if (group.is_one_kernel()) all.push_back(of_group(group));
  for (const Group& group : partition_.groups)
    if (group.first > 0) all.push_back(of_border(group.first));
  return all;
}

/// Models of kernels by name, as long as the modules are there.
fusion::ModelOf models_of(const std::vector<ExplainedModule>& modules) {
  return [&modules](const std::string& name) -> const model::Kernel* {
    for (const ExplainedModule& module : modules)
      for (const ExplainedKernel& kernel : module.kernels)
        if (kernel.name == name && kernel.model) return &*kernel.model;
    return nullptr;
  };
}

/// For some arguments: the run time asks for theirs.
bool is_carried(const FusionVerdict& verdict, const support::LaunchSequence& sequence,
                const std::vector<ExplainedModule>& modules) {
  const auto is_it = [&](const support::FusedLaunches& fused) {
    return std::ranges::equal(fused.launches, verdict.steps,
                              [&](const auto& launch, unsigned step) {
                                return launch.kernel == sequence.steps[step].kernel;
                              });
  };
  return verdict.kind == FusionVerdict::Kind::one_kernel &&
         std::ranges::any_of(modules, [&](const ExplainedModule& module) {
           return std::ranges::any_of(module.fused, is_it);
         });
}

}  // namespace

std::vector<FusionVerdict> fusion_verdicts(const support::LaunchSequence& sequence,
                                           const std::vector<ExplainedModule>& modules) {
  const fusion::ModelOf model_of = models_of(modules);
  std::vector<FusionVerdict> all;
  for (const fusion::Stretch& stretch : fusion::stretches(sequence)) {
    const std::vector<fusion::Launch> launches = fusion::launches_of(sequence, stretch, model_of);
    if (launches.empty()) continue;
    const Partition partition = fusion::partition(launches);
    std::ranges::move(FusionReport(stretch, partition).verdicts(), std::back_inserter(all));
  }
  for (FusionVerdict& verdict : all) verdict.is_carried = is_carried(verdict, sequence, modules);
  return all;
}

}  // namespace gridspan::tools
