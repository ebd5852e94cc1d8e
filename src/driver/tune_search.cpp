// Families of candidates, rounds, and who wins.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tune_search.h"

#include "codegen/pipeline.h"

#include <llvm/Support/FormatVariadic.h>
#include <algorithm>
#include <numeric>

namespace gridspan::driver {

using codegen::KernelSettings;
using support::Result;
using Settings = ByKernel<KernelSettings>;

namespace {

constexpr unsigned rounds = 3, last_rounds = 5;
/// Less is not worth another setting, or is chance.
constexpr double least_gain = 0.03;
/// Who takes so much longer in the first round does not run in the others.
constexpr double hopeless = 1.3;
/// Kernels that take a smaller share of the program's are left alone.
constexpr double least_share = 0.005;

/// A change to a kernel's settings.
struct Change {
  unsigned KernelSettings::* knob = nullptr;
  unsigned value = 0;
  std::string_view without = {};

  KernelSettings applied(KernelSettings settings) const {
    if (knob) settings.*knob = value;
    if (!without.empty() && !std::ranges::count(settings.without, without))
      settings.without.emplace_back(without);
    return settings;
  }
};

struct Family {
  std::string_view name;
  std::vector<Change> changes;
};

Change with(unsigned KernelSettings::* knob, unsigned value) { return {knob, value, {}}; }

/// Adds the stages to leave out that belong to each (Stage::tuning).
std::vector<Family> with_stages(std::vector<Family> families) {
  for (const codegen::Stage& stage : codegen::pipeline()) {
    if (stage.tuning.empty()) continue;
    auto family = std::ranges::find(families, stage.tuning, &Family::name);
    if (family == families.end()) family = families.insert(family, {stage.tuning, {}});
    family->changes.push_back({nullptr, 0, stage.without});
  }
  return families;
}

std::vector<Family> families() {
  using K = KernelSettings;
  return with_stages({
      {"vectors", {with(&K::vector_bits, 256)}},
      {"rows of threads",
       {with(&K::rows, 1), with(&K::rows, 2), with(&K::rows, 4), with(&K::rows, 6),
        with(&K::rows, 8)}},
      {"joined blocks",
       {with(&K::joined_width, 32), with(&K::joined_width, 256), with(&K::joined_width, 1024),
        with(&K::joined_width, 4096)}},
      {"rows of joined blocks",
       {with(&K::joined_height, 1), with(&K::joined_height, 48), with(&K::joined_height, 768)}},
      {"copies and registers", {}},
      {"prefetches and guards", {}},
      {"blocks as one function", {}},
  });
}

double sum(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

std::string change_text(double before, double after) {
  return llvm::formatv("{0:f3} -> {1:f3} ms", before / 1e6, after / 1e6).str();
}

/// A build that takes part in a comparison.
struct Entrant {
  Workbench::Build build;
  Settings settings;
  ByKernel<std::vector<std::vector<double>>> runs = {};

  Estimate of(const std::string& kernel) const {
    const auto found = runs.find(kernel);
    return found == runs.end() ? Estimate{} : estimate(found->second);
  }
};

class Search {
 public:
  explicit Search(Workbench& workbench) : workbench_(workbench) {}
  Result<ByKernel<Tuned>> run();

 private:
  Result<void> begin();
  Result<void> try_family(const Family& family);
  Result<std::vector<Entrant>> entrants_of(const Family& family);
  Result<void> measure(std::vector<Entrant>& entrants, unsigned times, bool drops_hopeless);
  bool is_hopeless(const Entrant& entrant, const Entrant& best) const;
  void choose(const Family& family, const std::vector<Entrant>& entrants);
  Result<Entrant> build(const Settings& settings);
  Result<ByKernel<Tuned>> confirm();
  std::string readable(const std::string& kernel) const { return workbench_.readable(kernel); }

  Workbench& workbench_;
  std::vector<std::string> kernels_;  // worth tuning
  Entrant default_;
  Workbench::Build best_build_;
  Settings best_;
};

Result<Entrant> Search::build(const Settings& settings) {
  auto made = workbench_.compile(settings);
  if (!made) return support::fail(made.error());
  return Entrant{std::move(*made), settings};
}

/// One run of the compiler's own choice tells which kernels are worth it.
Result<void> Search::begin() {
  auto made = build({});
  if (!made) return support::fail(made.error());
  default_ = std::move(*made);
  best_build_ = default_.build;
  if (default_.build.forms.empty())
    return support::fail("no kernels are compiled here; tune where the CUDA sources are");
  if (auto kept = workbench_.keep(default_.build); !kept) return kept;
  auto times = workbench_.run(default_.build);
  if (!times) return support::fail(times.error());
  double all = 0;
  for (const auto& [kernel, launches] : *times) all += sum(launches);
  for (const auto& [kernel, launches] : *times) {
    if (!default_.build.forms.contains(kernel) || sum(launches) < least_share * all) continue;
    kernels_.push_back(kernel);
    workbench_.say(llvm::formatv("{0}: {1} launches, {2:f3} ms", readable(kernel), launches.size(),
                                 sum(launches) / 1e6)
                       .str());
  }
  if (kernels_.empty()) return support::fail("the command ran no kernel that is compiled here");
  return {};
}

/// The best so far and each candidate that makes a difference to some kernel.
Result<std::vector<Entrant>> Search::entrants_of(const Family& family) {
  std::vector<Entrant> entrants{{best_build_, best_}};
  for (const Change& change : family.changes) {
    Settings settings = best_;
    for (const std::string& kernel : kernels_) settings[kernel] = change.applied(settings[kernel]);
    auto made = build(settings);
    if (!made) return support::fail(made.error());
    const bool is_new = std::ranges::any_of(kernels_, [&](const std::string& kernel) {
      return std::ranges::none_of(entrants, [&](const Entrant& other) {
        return other.build.forms.at(kernel) == made->build.forms.at(kernel);
      });
    });
    if (!is_new) continue;
    if (auto kept = workbench_.keep(made->build); !kept) return support::fail(kept.error());
    entrants.push_back(std::move(*made));
  }
  return entrants;
}

bool Search::is_hopeless(const Entrant& entrant, const Entrant& best) const {
  return std::ranges::all_of(kernels_, [&](const std::string& kernel) {
    return entrant.build.forms.at(kernel) == best.build.forms.at(kernel) ||
           entrant.of(kernel).nanoseconds > hopeless * best.of(kernel).nanoseconds;
  });
}

Result<void> Search::measure(std::vector<Entrant>& entrants, unsigned times, bool drops_hopeless) {
  for (unsigned round = 0; round < times; ++round) {
    for (Entrant& entrant : entrants) {
      auto launches = workbench_.run(entrant.build);
      if (!launches) return support::fail(launches.error());
      for (const std::string& kernel : kernels_)
        entrant.runs[kernel].push_back((*launches)[kernel]);
    }
    if (round == 0 && drops_hopeless)
      entrants.erase(
          std::remove_if(entrants.begin() + 1, entrants.end(),
                         [&](const Entrant& one) { return is_hopeless(one, entrants.front()); }),
          entrants.end());
  }
  return {};
}

/// Each kernel's own best; the first is what there was.
void Search::choose(const Family& family, const std::vector<Entrant>& entrants) {
  const Entrant& before = entrants.front();
  for (const std::string& kernel : kernels_) {
    const Entrant* winner = &before;
    for (const Entrant& one : entrants) {
      const bool is_same = one.build.forms.at(kernel) == before.build.forms.at(kernel);
      const double time = one.of(kernel).nanoseconds;  // 0: it was not launched this time
      if (!is_same && time > 0 && time < winner->of(kernel).nanoseconds) winner = &one;
    }
    const Estimate old = before.of(kernel), found = winner->of(kernel);
    if (winner == &before ||
        found.nanoseconds > (1 - std::max(least_gain, old.noise)) * old.nanoseconds)
      continue;
    best_[kernel] = winner->settings.at(kernel);
    workbench_.say(std::string(family.name) + ": " + readable(kernel) + ": " +
                   codegen::describe(best_[kernel]) + ": " +
                   change_text(old.nanoseconds, found.nanoseconds));
  }
}

Result<void> Search::try_family(const Family& family) {
  auto entrants = entrants_of(family);
  if (!entrants) return support::fail(entrants.error());
  if (entrants->size() == 1) return {};
  workbench_.say(std::string(family.name) + ": " + std::to_string(entrants->size() - 1) +
                 (entrants->size() == 2 ? " candidate" : " candidates"));
  if (auto measured = measure(*entrants, rounds, true); !measured) return measured;
  const Settings before = best_;
  choose(family, *entrants);
  if (best_ == before) return {};
  auto made = build(best_);
  if (!made) return support::fail(made.error());
  best_build_ = made->build;
  return workbench_.keep(best_build_);
}

Result<ByKernel<Tuned>> Search::confirm() {
  ByKernel<Tuned> tuned;
  if (best_.empty()) return tuned;
  workbench_.say("once more against the compiler's own choice");
  std::vector<Entrant> entrants{{default_.build, {}}, {best_build_, best_}};
  if (auto measured = measure(entrants, last_rounds, false); !measured)
    return support::fail(measured.error());
  for (const auto& [kernel, settings] : best_) {
    const Estimate before = entrants[0].of(kernel), after = entrants[1].of(kernel);
    if (settings == KernelSettings{} || after.nanoseconds > (1 - least_gain) * before.nanoseconds)
      continue;
    tuned[kernel] = {settings, before.nanoseconds / 1e6, after.nanoseconds / 1e6};
  }
  return tuned;
}

Result<ByKernel<Tuned>> Search::run() {
  if (auto begun = begin(); !begun) return support::fail(begun.error());
  for (const Family& family : families())
    if (auto tried = try_family(family); !tried) return support::fail(tried.error());
  return confirm();
}

}  // namespace

Estimate estimate(const std::vector<std::vector<double>>& runs) {
  std::vector<double> sums, fastest;
  for (const std::vector<double>& run : runs) sums.push_back(sum(run));
  if (sums.empty()) return {};
  std::ranges::sort(sums);
  Estimate result{sums.front(), 0};
  if (sums.size() > 1 && sums.front() > 0) result.noise = sums[1] / sums.front() - 1;
  // Programs that decide by time or chance do not launch the same twice.
  const std::size_t launches = runs.front().size();
  if (std::ranges::any_of(runs, [&](const auto& run) { return run.size() != launches; }))
    return result;
  result.nanoseconds = 0;
  for (std::size_t i = 0; i < launches; ++i) {
    double least = runs.front()[i];
    for (const std::vector<double>& run : runs) least = std::min(least, run[i]);
    result.nanoseconds += least;
  }
  return result;
}

Result<ByKernel<Tuned>> search_settings(Workbench& workbench) { return Search(workbench).run(); }

}  // namespace gridspan::driver
