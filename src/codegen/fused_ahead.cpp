// From sequences of launches to kernels that are worth making.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/fused_ahead.h"

#include "fusion/fusible.h"
#include "fusion/partition.h"
#include "fusion/stretch.h"
#include "model/limits.h"
#include "model/read_movers.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace gridspan::codegen {

using namespace llvm;
using fusion::Launch;
using support::FusedLaunches;
using support::LaunchSequence;
using support::LaunchStep;
using support::SequenceValue;

namespace {

/// Of a launch. What takes longer is left to GRIDSPAN_FUSE=on.
constexpr model::ProofLimits limits{100'000, 200'000};
/// Operations of isl for a source: about a second.
constexpr unsigned long most_operations = 1'500'000;
/// Of a kernel as clang writes it: larger ones take long to compile and hardly wait for memory.
constexpr unsigned most_instructions = 1'500;
/// Kernels of an object, each for its launches and again for dead arrays.
constexpr std::size_t most_kernels = 24;

bool is_one(const SequenceValue& value) {
  return value.kind == SequenceValue::Kind::constant && value.number == 1;
}

/// The run time compares it: it is all of a pointer to an array, or of an integer that the model
/// asks for and that does more than move reads.
bool is_compared(const model::Kernel& kernel, const std::set<std::string>& movers,
                 const Argument& argument, unsigned index) {
  if (argument.hasByValAttr()) return false;
  const std::uint64_t size =
      argument.getParent()->getParent()->getDataLayout().getTypeStoreSize(argument.getType());
  if (argument.getType()->isPointerTy())
    return any_of(kernel.arrays, [&](const model::Array& array) {
      return array.space != model::AddressSpace::shared && array.symbol.empty() &&
             array.argument == static_cast<int>(index) && array.offset == 0;
    });
  return any_of(kernel.parameters, [&](const model::Parameter& one) {
    return one.kind == model::Parameter::Kind::argument && one.argument == index &&
           one.offset == 0 && one.bytes == size && !movers.contains(one.name);
  });
}

bool uses_shared_memory(const model::Kernel& kernel) {
  return any_of(kernel.arrays, [](const model::Array& array) {
    return array.space == model::AddressSpace::shared;
  });
}

/// Two launches have a pointer to an array from the same value. If none do, one kernel saves
/// nothing.
bool has_values_in_common(std::span<const Launch> launches) {
  std::map<int, const Launch*> known;
  for (const Launch& launch : launches)
    for (const model::Array& array : launch.kernel->arrays) {
      if (array.argument < 0) continue;
      const int value = launch.arguments[static_cast<std::size_t>(array.argument)];
      if (known.try_emplace(value, &launch).first->second != &launch) return true;
    }
  return false;
}

/// Launches of a stretch, and the steps that they are.
struct LaunchRun {
  std::vector<Launch> launches;
  std::vector<const LaunchStep*> steps;
};

class Planner {
 public:
  Planner(const model::Module& models, const Module& module) : models_(models), module_(module) {}

  void add(const LaunchSequence& sequence);
  std::list<FusedAhead> take() { return std::move(made_); }

 private:
  const model::Kernel* model_of(const std::string& name) const;
  bool may_be_part(const Launch& launch) const;
  void add(const LaunchRun& run);
  void add_group(const LaunchRun& run, const fusion::Group& group);
  FusedLaunches launches_of(std::span<const Launch> launches,
                            std::span<const LaunchStep* const> steps) const;
  void add(FusedLaunches launches);

  const model::Module& models_;
  const Module& module_;
  std::list<FusedAhead> made_;
  unsigned long begin_ = 0;  // operations that isl had done when the first launches were looked at
};

const model::Kernel* Planner::model_of(const std::string& name) const {
  const auto found = find_if(models_.kernels, [&](const auto& one) { return one.name == name; });
  return found == models_.kernels.end() || !module_.getFunction(name) ? nullptr : &*found;
}

bool Planner::may_be_part(const Launch& launch) const {
  const Function* const function = module_.getFunction(launch.kernel->name);
  return function && function->getInstructionCount() <= most_instructions &&
         !fusion::keeps_apart(*launch.kernel) && !uses_shared_memory(*launch.kernel);
}

/// Parts of a stretch that have the same shapes.
void Planner::add(const LaunchSequence& sequence) {
  const fusion::ModelOf models = [this](const std::string& name) { return model_of(name); };
  for (const fusion::Stretch& stretch : fusion::likely_stretches(sequence)) {
    if (stretch.turn >= 0) continue;
    const std::vector<Launch> launches = fusion::launches_of(sequence, stretch, models);
    LaunchRun run;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const bool goes_on = run.launches.empty() || (run.launches.back().grid == launches[i].grid &&
                                                    run.launches.back().block == launches[i].block);
      const bool may_be = may_be_part(launches[i]);
      if (!goes_on || !may_be) add(std::exchange(run, {}));
      if (!may_be) continue;
      run.launches.push_back(launches[i]);
      run.steps.push_back(&sequence.steps[stretch.steps[i]]);
    }
    add(run);
  }
}

void Planner::add(const LaunchRun& run) {
  if (run.launches.size() < 2 || made_.size() >= most_kernels) return;
  if (!has_values_in_common(run.launches)) return;
  const isl::ctx context = run.launches.front().kernel->context.ctx();
  const unsigned long begin = model::operations_done(context);
  if (begin_ == 0) begin_ = begin;
  if (begin - begin_ >= most_operations) return;
  for (const fusion::Group& group : fusion::legal_groups(run.launches, limits))
    if (group.is_one_kernel()) add_group(run, group);
}

/// A pointer with which the group first only writes and then only reads: if its launches come
/// again, or others write it, nobody reads that.
std::vector<unsigned> passed_on(std::span<const Launch> launches, const FusedLaunches& fused) {
  enum class Use : std::uint8_t { none, written, read, other };
  std::vector<Use> uses(fused.value_count(), Use::none);
  for (std::size_t i = 0; i < launches.size(); ++i)
    for (unsigned p = 0; p < fused.launches[i].values.size(); ++p) {
      Use& use = uses[fused.launches[i].values[p]];
      for (const model::Array& array : launches[i].kernel->arrays) {
        if (array.argument != static_cast<int>(p)) continue;
        const bool reads = any_of(array.sets, [](const model::AccessSet& set) {
          return set.kind == model::SetKind::read;
        });
        const bool writes = any_of(array.sets, [](const model::AccessSet& set) {
          return set.kind != model::SetKind::read;
        });
        if (writes && !reads && use == Use::none)
          use = Use::written;
        else if (reads && !writes && (use == Use::written || use == Use::read))
          use = Use::read;
        else
          use = Use::other;
      }
    }
  std::vector<unsigned> passed;
  for (unsigned number = 0; number < uses.size(); ++number)
    if (uses[number] == Use::read) passed.push_back(number);
  return passed;
}

void Planner::add_group(const LaunchRun& run, const fusion::Group& group) {
  const std::size_t count = group.end - group.first;
  const std::span<const Launch> part = std::span(run.launches).subspan(group.first, count);
  FusedLaunches fused = launches_of(part, std::span(run.steps).subspan(group.first, count));
  std::vector<Launch> asked;
  for (std::size_t i = 0; i < count; ++i) {
    Launch& one = asked.emplace_back();
    one.kernel = part[i].kernel;
    one.arguments.assign(fused.launches[i].values.begin(), fused.launches[i].values.end());
    for (std::size_t axis = 0; axis < 3; ++axis) one.blocks[axis] = fused.one_block[axis] ? 1 : 0;
  }
  if (!fusion::why_not_fusible(asked, fused.one_thread, limits, fusion::Examples::spare).empty())
    return;
  add(fused);
  fused.dead = passed_on(part, fused);
  if (!fused.dead.empty()) add(fused);
}

FusedLaunches Planner::launches_of(std::span<const Launch> launches,
                                   std::span<const LaunchStep* const> steps) const {
  FusedLaunches fused;
  std::map<std::tuple<int, Type*>, unsigned> numbers;  // of values that are compared
  unsigned next = 0;
  for (const Launch& launch : launches) {
    FusedLaunches::Launch& made = fused.launches.emplace_back();
    made.kernel = launch.kernel->name;
    const Function& function = *module_.getFunction(made.kernel);
    const std::set<std::string> movers = model::read_movers(*launch.kernel);
    for (unsigned i = 0; i < launch.arguments.size(); ++i) {
      const Argument& argument = *function.getArg(i);
      unsigned number = next;
      if (is_compared(*launch.kernel, movers, argument, i))
        number = numbers.try_emplace({launch.arguments[i], argument.getType()}, next).first->second;
      next = std::max(next, number + 1);
      made.values.push_back(number);
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    fused.one_block[axis] = is_one(steps.front()->grid[axis]);
    fused.one_thread[axis] = is_one(steps.front()->block[axis]);
  }
  return fused;
}

/// Unless it is known, under a name that is its own.
void Planner::add(FusedLaunches launches) {
  if (made_.size() >= most_kernels) return;
  if (any_of(made_, [&](const FusedAhead& one) { return one.launches == launches; })) return;
  const std::string name = launches.name();
  const auto alike =
      count_if(made_, [&](const FusedAhead& one) { return one.launches.name() == name; });
  made_.push_back({alike == 0 ? name : name + "." + std::to_string(alike), std::move(launches)});
}

}  // namespace

std::list<FusedAhead> fused_ahead(const std::string& sequences, const model::Module& models,
                                  const Module& module) {
  const auto parsed = support::parse_sequences(sequences);
  if (!parsed) return {};
  Planner planner(models, module);
  for (const LaunchSequence& sequence : *parsed) planner.add(sequence);
  return planner.take();
}

}  // namespace gridspan::codegen
