// Changing a launch's numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/experiment.h"

namespace gridspan::model {

Experiment experiment(const Kernel& kernel, const SampleLaunches& samples) {
  Experiment all;
  if (samples.first().empty()) return all;
  all.launches.push_back(samples.first());
  Values steps;
  const auto try_launch = [&](const Values& changes, const Term& term) {
    const std::optional<Values> launch = samples.with(changes);
    if (!launch) return false;
    all.terms.push_back(term);
    all.launches.push_back(*launch);
    return true;
  };
  for (const SampleLaunches::Choice& choice : samples.choices()) {
    for (const long step : {choice.step, -choice.step}) {
      if (!try_launch({{choice.name, step}}, {choice.name, {}})) continue;
      steps[choice.name] = step;
      break;
    }
    if (!steps.contains(choice.name)) return all;  // no check: no formula
  }
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.kind != Parameter::Kind::product || parameter.factors.size() != 2) continue;
    const std::string &a = parameter.factors[0], &b = parameter.factors[1];
    if (a == b || !steps.contains(a) || !steps.contains(b)) continue;
    if (!try_launch({{a, steps[a]}, {b, steps[b]}}, {parameter.name, {a, b}})) return all;
  }
  // Not all by the same: a size must not stand for another.
  for (const long times : {1L, 2L}) {
    Values changes = steps;
    long more = times;
    for (auto& [name, step] : changes) {
      if (!name.starts_with("blockDim_")) step *= more++;
    }
    if (const std::optional<Values> launch = samples.with(changes)) all.launches.push_back(*launch);
  }
  return all;
}

}  // namespace gridspan::model
