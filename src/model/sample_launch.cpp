// Natural launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/sample_launch.h"

#include "model/mentions.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace gridspan::model {
namespace {

constexpr long least_size = 1024;
constexpr long few_blocks = 4;          // a cut in the middle should leave some on either side
constexpr long endless_grid = 1 << 20;  // more blocks than sizes need
constexpr long largest_step = 4096;

bool is_extent(const Parameter& parameter) {
  return parameter.kind == Parameter::Kind::grid_dim ||
         parameter.kind == Parameter::Kind::block_dim;
}

}  // namespace

SampleLaunches::SampleLaunches(const Kernel& kernel, const std::vector<Touching>& touching)
    : kernel_(kernel), touching_(touching) {
  isl::set possible = kernel.context;
  for (const Assumption& assumption : kernel.assumptions) {
    if (assumption.kind == Assumption::Kind::holds)
      possible = possible.intersect(assumption.condition);
  }
  possible_.emplace(possible);
  for (const AxisSplit& split : kernel.axes) {
    if (!split.legal.is_null() && !split.legal.is_empty()) legal_.emplace_back(split.legal);
  }
  fit_blocks();
  const auto has_few_blocks = [&] {
    bool few = false;
    for (unsigned axis = 0; axis < 3; ++axis)
      few |= is_covered_[axis] && first_.at(grid_dim(axis)) < few_blocks;
    return few;
  };
  for (size_ = least_size; size_ <= large_size; size_ *= 8) {
    const std::optional<Values> chosen = choose(size_, threads_);
    if (!chosen) return;
    first_ = *chosen;
    cover();
    if (!has_few_blocks()) break;
  }
  if (!is_possible(first_)) first_.clear();
  if (!first_.empty()) find_choices();
}

bool SampleLaunches::is_possible(const Values& launch) const {
  return !possible_->is_empty_at(launch);
}

// Sizes all the same, and one of the arguments smaller: an index, say.
std::optional<Values> SampleLaunches::choose(long size, const Threads& threads) const {
  Values launch;
  const auto set_sizes = [&](long to) {
    for (const Parameter& parameter : kernel_.parameters) {
      const long along = is_extent(parameter) ? threads[parameter.axis] : 1;
      if (parameter.kind == Parameter::Kind::block_dim) launch[parameter.name] = along;
      if (parameter.kind == Parameter::Kind::grid_dim)
        launch[parameter.name] = uses_axis(kernel_, parameter.axis) ? std::max(2L, to / along) : 1;
      if (parameter.kind == Parameter::Kind::argument)
        launch[parameter.name] = parameter.bytes == 1 ? 1 : to;
    }
    launch = with_derived(kernel_, launch);
  };
  for (; size >= usual_threads; size /= 2) {
    set_sizes(size);
    if (is_possible(launch)) return launch;
    for (const Parameter& parameter : kernel_.parameters) {
      if (parameter.kind != Parameter::Kind::argument) continue;
      for (const long smaller : {size / 4, 1L, 0L}) {
        Values other = launch;
        other[parameter.name] = smaller;
        other = with_derived(kernel_, other);
        if (is_possible(other)) return other;
      }
    }
  }
  return std::nullopt;
}

// Around what one block touches, the first along the other axes; without sides: nothing.
Box SampleLaunches::box_of_block(const Touching& touching, unsigned axis, long block,
                                 const Values& launch) const {
  long index[3] = {0, 0, 0};
  index[axis] = block;
  Values values = with_part(kernel_, launch, index, index);
  values.insert(touching.first_turns.begin(), touching.first_turns.end());
  Box around;
  for (const auto& [piece, box] : touching.image->boxes(values)) include(around, box);
  return around;
}

// How many blocks along the axis touch something where the grid has as many as one likes; nothing
// where all do. Those that touch something are taken to come first.
std::optional<long> SampleLaunches::blocks_that_touch(const Touching& touching, unsigned axis,
                                                      const Values& launch) const {
  Values values = launch;
  values[grid_dim(axis)] = endless_grid;
  values = with_derived(kernel_, values);
  const auto touches = [&](long block) {
    return !box_of_block(touching, axis, block, values).empty();
  };
  long some = 1, none = endless_grid - 2;  // neither the first nor the last, which may be special
  if (touches(none) || !touches(some)) return std::nullopt;
  while (none - some > 1) {
    const long middle = (some + none) / 2;
    (touches(middle) ? some : none) = middle;
  }
  return none;
}

std::optional<long> SampleLaunches::blocks_that_touch(unsigned axis, const Values& launch) const {
  std::optional<long> most;
  for (bool written : {true, false}) {
    for (const Touching& touching : touching_) {
      if (touching.is_written != written) continue;
      const std::optional<long> here = blocks_that_touch(touching, axis, launch);
      if (here) most = std::max(most.value_or(0), *here);
    }
    if (most) return most;
  }
  return most;
}

void SampleLaunches::cover() {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!first_.contains(grid_dim(axis)) || !uses_axis(kernel_, axis)) continue;
    const std::optional<long> count = blocks_that_touch(axis, first_);
    is_covered_[axis] = count.has_value();
    if (!count) continue;
    first_[grid_dim(axis)] = *count;
    first_ = with_derived(kernel_, first_);
  }
}

void SampleLaunches::find_choices() {
  std::set<std::string> sources;
  for (const Touching& touching : touching_)
    sources.merge(sources_of(kernel_, touching.image->symbolic()));
  long step = 2;  // a cut in the middle moves by whole blocks
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!is_covered_[axis]) continue;
    // Also of one of twice as many threads.
    const long of_block = size_ / first_.at(grid_dim(axis)) * (is_tile_[axis] ? 1 : 2);
    const long more = std::lcm(step, 2 * std::max(of_block, 1L));
    step = more <= largest_step ? more : std::max(step, 2 * of_block);
  }
  for (const Parameter& parameter : kernel_.parameters) {
    if (!sources.contains(parameter.name)) continue;
    const unsigned axis = parameter.axis;
    if (is_extent(parameter) && !uses_axis(kernel_, axis)) continue;
    if (parameter.kind == Parameter::Kind::grid_dim) {
      if (!is_covered_[axis]) choices_.push_back({parameter.name, 2});
    } else if (parameter.kind == Parameter::Kind::block_dim) {
      if (!is_tile_[axis]) choices_.push_back({parameter.name, threads_[axis]});
    } else if (parameter.bytes != 1) {
      choices_.push_back({parameter.name, step});
    }
  }
}

std::optional<Values> SampleLaunches::with(const Values& changes) const {
  Values launch = first_;
  for (const auto& [name, change] : changes) launch[name] += change;
  launch = with_derived(kernel_, launch);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!is_covered_[axis]) continue;
    const std::optional<long> count = blocks_that_touch(axis, launch);
    if (!count) return std::nullopt;
    launch[grid_dim(axis)] = *count;
    launch = with_derived(kernel_, launch);
  }
  if (!is_possible(launch)) return std::nullopt;
  return launch;
}

}  // namespace gridspan::model
