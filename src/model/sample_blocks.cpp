// How many threads a block has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mentions.h"
#include "model/sample_launch.h"

#include <algorithm>

namespace gridspan::model {
namespace {

constexpr long most_threads = 1024;

}  // namespace

// How two neighbouring blocks lie to each other.
struct SampleLaunches::Fit {
  bool is_illegal = false;
  long gap = 0, overlap = 0;
  friend auto operator<=>(const Fit&, const Fit&) = default;
};

// Makes a box large enough for another; one without sides has nothing in it.
void SampleLaunches::include(Box& around, const Box& box) {
  if (around.empty()) around = box;
  for (std::size_t i = 0; i < box.size(); ++i)
    around[i] = {std::min(around[i].first, box[i].first), std::max(around[i].end, box[i].end)};
}

SampleLaunches::Fit SampleLaunches::fit(unsigned axis, long threads) const {
  Threads changed = threads_;
  changed[axis] = threads;
  const std::optional<Values> chosen = choose(large_size, changed);
  if (!chosen) return {true, 0, 0};
  const Values& launch = *chosen;
  Fit fit;
  for (const ConcreteSet& legal : legal_) fit.is_illegal |= legal.is_empty_at(launch);
  // Of all that a block touches in an array: single accesses may be of a few threads only.
  std::map<unsigned, std::pair<Box, Box>> neighbours;
  for (const Touching& touching : touching_) {
    auto& [near, far] = neighbours[touching.array];
    include(near, box_of_block(touching, axis, 1, launch));
    include(far, box_of_block(touching, axis, 2, launch));
  }
  for (const auto& [array, boxes] : neighbours) {
    const auto& [near, far] = boxes;
    for (std::size_t i = 0; i < std::min(near.size(), far.size()); ++i) {
      const Range &a = near[i], &b = far[i];
      if (a.first == b.first) continue;
      const long between = std::max(a.first, b.first) - std::min(a.end, b.end);
      (between > 0 ? fit.gap : fit.overlap) += std::labs(between);
    }
  }
  return fit;
}

// The usual number of threads where it leaves nothing out, else what the kernel speaks of.
void SampleLaunches::fit_blocks() {
  for (unsigned axis = 0; axis < 3; ++axis)
    threads_[axis] = uses_axis(kernel_, axis) ? usual_threads : 1;
  while (threads_[0] * threads_[1] * threads_[2] > most_threads) threads_[2] /= 2;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!uses_axis(kernel_, axis)) continue;
    const long usual = threads_[axis];
    Fit best = fit(axis, usual);
    std::set<long> numbers;
    for (const Touching& touching : touching_) {
      for (const std::string& name : involved_parameters(touching.image->symbolic()))
        numbers.merge(numbers_beside(touching.image->symbolic(), name, most_threads));
    }
    for (const ConcreteSet& legal : legal_)
      numbers.merge(numbers_beside(legal.symbolic(), block_dim(axis), most_threads));
    for (long number : numbers) {
      if (!best.is_illegal && best.gap == 0) break;  // it will do: threads may share what they read
      if (number < 2 || number == usual) continue;
      const Fit next = fit(axis, number);
      if (!(next < best)) continue;
      best = next;
      threads_[axis] = number;
    }
    is_tile_[axis] = threads_[axis] != usual || fit(axis, 2 * usual) != best;
  }
}

}  // namespace gridspan::model
