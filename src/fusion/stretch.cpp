// Stretches of launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/stretch.h"

#include "fusion/partition.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace gridspan::fusion {

using support::Between;
using support::LaunchSequence;
using support::LaunchStep;
using support::Neighbours;
using support::SequenceValue;

namespace {

std::string reason(Between::Kind kind) {
  switch (kind) {
    case Between::Kind::free:
      return "memory is freed between them, which waits";
    case Between::Kind::event:
      return "an event between them may take a time";
    case Between::Kind::stream:
      return "streams or devices are changed between them";
    case Between::Kind::query:
      return "it is asked between them whether something is finished";
    case Between::Kind::wait:
      return "the host waits between them";
    case Between::Kind::host_copy:
      return "a copy to or from the host is between them";
    case Between::Kind::host_function:
      return "a function of the host is called between them";
    case Between::Kind::graph:
      return "a graph is launched or recorded between them";
    case Between::Kind::call:
      return "a call that may do anything is between them";
  }
  return {};
}

/// Things that are equal if a chain of equalities says so (union-find).
class Equal {
 public:
  int add() {
    parents_.push_back(static_cast<int>(parents_.size()));
    return parents_.back();
  }
  int root(int one) {
    while (parents_[static_cast<std::size_t>(one)] != one)
      one = parents_[static_cast<std::size_t>(one)];
    return one;
  }
  void join(int one, int other) { parents_[static_cast<std::size_t>(root(other))] = root(one); }

 private:
  std::vector<int> parents_;
};

/// Numbers for what the launches of a stretch are given.
class Numbers {
 public:
  Numbers(const LaunchSequence& sequence, const Stretch& stretch);
  int argument(std::size_t place, std::size_t index) {
    return equal_.root(arguments_[place][index]);
  }
  int grid(std::size_t place) { return equal_.root(grids_[place]); }
  int block(std::size_t place) { return equal_.root(blocks_[place]); }

 private:
  using Key = std::pair<int, std::vector<std::uint64_t>>;  // what it is, and its values
  int number(int what, std::span<const SequenceValue> values);
  void join(const Neighbours& pair, std::size_t first, std::size_t second);

  bool is_turn_;  // between two steps
  Equal equal_;
  std::map<Key, int> known_;
  std::vector<std::vector<int>> arguments_;
  std::vector<int> grids_, blocks_;
};

/// The same number for the same values; a new one where a value is not known. Values of other turns
/// do not compare, but for constants.
int Numbers::number(int what, std::span<const SequenceValue> values) {
  std::vector<std::uint64_t> key;
  for (const SequenceValue& value : values) {
    const bool compares = value.kind == SequenceValue::Kind::constant ||
                          (value.kind == SequenceValue::Kind::value && !is_turn_);
    if (!compares) return equal_.add();
    key.push_back(static_cast<std::uint64_t>(value.kind));
    key.push_back(value.number);
  }
  const auto [place, is_new] = known_.try_emplace(Key{what, std::move(key)});
  if (is_new) place->second = equal_.add();
  return place->second;
}

void Numbers::join(const Neighbours& pair, std::size_t first, std::size_t second) {
  for (const auto& [a, b] : pair.equal_arguments)
    if (a < arguments_[first].size() && b < arguments_[second].size())
      equal_.join(arguments_[first][a], arguments_[second][b]);
  if (pair.same_grid) equal_.join(grids_[first], grids_[second]);
  if (pair.same_block) equal_.join(blocks_[first], blocks_[second]);
}

Numbers::Numbers(const LaunchSequence& sequence, const Stretch& stretch)
    : is_turn_(stretch.turn >= 0) {
  enum { an_argument, a_grid, a_block };
  for (const unsigned step : stretch.steps) {
    const LaunchStep& launch = sequence.steps[step];
    auto& arguments = arguments_.emplace_back();
    for (const SequenceValue& value : launch.arguments)
      arguments.push_back(number(an_argument, {&value, 1}));
    grids_.push_back(number(a_grid, launch.grid));
    blocks_.push_back(number(a_block, launch.block));
  }
  for (std::size_t i = 1; i < stretch.steps.size(); ++i) {
    const unsigned first = stretch.steps[i - 1], second = stretch.steps[i];
    for (const Neighbours& pair : sequence.neighbours)
      if (pair.first == first && pair.second == second && pair.turn == stretch.turn)
        join(pair, i - 1, i);
  }
}

/// A constant is no pointer to memory, or null. `at_once`: in the same turn of all loops.
Launch::Pointees pointees_of(const LaunchSequence& sequence, const SequenceValue& value,
                             bool at_once) {
  Launch::Pointees found;
  found.anywhere = value.kind == SequenceValue::Kind::unknown;
  if (value.kind != SequenceValue::Kind::value) return found;
  found.value = value.number;
  found.memory = {value.number};
  const auto derived =
      std::ranges::find(sequence.derived, value.number, &LaunchSequence::Derived::value);
  if (derived == sequence.derived.end()) return found;
  found.anywhere = derived->from.empty();
  found.memory = derived->from;
  for (const auto& [one, other] : sequence.apart) {
    if (at_once && one == value.number) found.apart.push_back(other);
    if (at_once && other == value.number) found.apart.push_back(one);
  }
  return found;
}

}  // namespace

static std::optional<Divider> divider_of_kinds(const LaunchSequence& sequence,
                                               const Neighbours& pair) {
  const LaunchStep &first = sequence.steps[pair.first], &second = sequence.steps[pair.second];
  for (const LaunchStep* step : {&first, &second}) {
    if (step->kind == LaunchStep::Kind::cooperative)
      return Divider{"blocks of a cooperative launch may wait for each other", step->place};
    if (step->kind == LaunchStep::Kind::copy)
      return Divider{"copies inside the device are never part of one kernel", step->place};
    if (step->kind == LaunchStep::Kind::fill)
      return Divider{"fills are never part of one kernel", step->place};
  }
  return std::nullopt;
}

std::optional<Divider> divider(const LaunchSequence& sequence, const Neighbours& pair) {
  const LaunchStep& second = sequence.steps[pair.second];
  if (auto found = divider_of_kinds(sequence, pair)) return found;
  if (!pair.between.empty())
    return Divider{reason(pair.between.front().kind), pair.between.front().place};
  if (!pair.same_stream) return Divider{"their streams are not known to be the same", second.place};
  if (!pair.always) return Divider{"the second is only sometimes the next one", second.place};
  return std::nullopt;
}

static std::vector<Stretch> stretches_of(const LaunchSequence& sequence,
                                         const std::function<bool(const Neighbours&)>& is_divided) {
  constexpr int none = -1;
  std::vector<int> next(sequence.steps.size(), none), before(sequence.steps.size(), none);
  std::vector<Stretch> turns;
  for (const Neighbours& pair : sequence.neighbours) {
    if (is_divided(pair)) continue;
    if (pair.turn >= 0) {
      turns.push_back({{pair.first, pair.second}, pair.turn});
      continue;
    }
    if (next[pair.first] != none || before[pair.second] != none) continue;
    next[pair.first] = static_cast<int>(pair.second);
    before[pair.second] = static_cast<int>(pair.first);
  }
  std::vector<Stretch> found;
  for (unsigned step = 0; step < sequence.steps.size(); ++step) {
    if (before[step] != none) continue;
    Stretch stretch;
    for (int at = static_cast<int>(step); at != none; at = next[static_cast<unsigned>(at)]) {
      if (stretch.steps.size() == most_launches) {
        found.push_back(stretch);
        stretch.steps.erase(stretch.steps.begin(), stretch.steps.end() - 1);  // both have the pair
      }
      stretch.steps.push_back(static_cast<unsigned>(at));
    }
    found.push_back(std::move(stretch));
  }
  std::erase_if(found, [](const Stretch& one) { return one.steps.size() < 2; });
  found.insert(found.end(), turns.begin(), turns.end());
  return found;
}

std::vector<Stretch> stretches(const LaunchSequence& sequence) {
  return stretches_of(sequence,
                      [&](const Neighbours& pair) { return divider(sequence, pair).has_value(); });
}

std::vector<Stretch> likely_stretches(const LaunchSequence& sequence) {
  return stretches_of(sequence, [&](const Neighbours& pair) {
    return !pair.open || !pair.same_stream || divider_of_kinds(sequence, pair);
  });
}

std::vector<Launch> launches_of(const LaunchSequence& sequence, const Stretch& stretch,
                                const ModelOf& model_of) {
  Numbers numbers(sequence, stretch);
  std::vector<Launch> launches;
  for (std::size_t place = 0; place < stretch.steps.size(); ++place) {
    const LaunchStep& step = sequence.steps[stretch.steps[place]];
    Launch launch;
    launch.kernel = model_of(step.kernel);
    if (launch.kernel == nullptr || launch.kernel->argument_names.size() != step.arguments.size())
      return {};
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
      const SequenceValue& value = step.arguments[i];
      launch.arguments.push_back(numbers.argument(place, i));
      launch.pointees.push_back(pointees_of(sequence, value, stretch.turn < 0));
    }
    launch.grid = numbers.grid(place);
    launch.block = numbers.block(place);
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (step.grid[axis].kind == SequenceValue::Kind::constant)
        launch.blocks[axis] = static_cast<long>(step.grid[axis].number);
    launches.push_back(std::move(launch));
  }
  return launches;
}

}  // namespace gridspan::fusion
