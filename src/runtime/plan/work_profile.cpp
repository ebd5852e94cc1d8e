// Samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/work_profile.h"

#include "runtime/plan/cut.h"
#include "runtime/plan/footprints.h"

#include <algorithm>
#include <numeric>

namespace gridspan::runtime {

namespace {

constexpr double line_bytes = 64;        // of memory that is touched at random
constexpr double alike = 1.25;           // the most to the least
constexpr std::uint32_t few_blocks = 8;  // along an axis: those at its ends are like no others
constexpr std::uint32_t stretches = 8;
constexpr std::uint32_t most_across = 2;  // samples along the other axes, for each stretch

double touched_bytes(const std::vector<regions::Box>& boxes) {
  double bytes = 0;
  for (const regions::Box& box : boxes) bytes += static_cast<double>(box.volume());
  return bytes;
}

/// The block in the middle of part `index` of `count` of so many blocks.
std::uint32_t sample(std::uint32_t blocks, std::uint32_t index, std::uint32_t count) {
  return static_cast<std::uint32_t>((2 * std::uint64_t{index} + 1) * blocks / (2 * count));
}

abi::Dim place(const std::array<std::uint32_t, 3>& at) { return {at[0], at[1], at[2]}; }

/// Blocks near the corners of the grid touch about as much.
bool is_even(const BoundLaunch& launch, const abi::Dim& grid) {
  double least = 0, most = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    std::array<std::uint32_t, 3> at{};
    bool is_new = true;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const std::uint32_t blocks = extent(grid, axis);
      const unsigned high = (corner >> axis) & 1;
      if (blocks < few_blocks) is_new &= high == 0;
      at[axis] = blocks < few_blocks ? blocks / 2 : sample(blocks, high ? 3 : 0, 4);
    }
    if (!is_new) continue;
    const double bytes = bytes_of_block(launch, place(at));
    least = corner == 0 ? bytes : std::min(least, bytes);
    most = std::max(most, bytes);
  }
  return most <= alike * least;
}

/// What a stretch of the axis touches, from blocks spread over the other axes.
std::vector<double> sample_axis(const BoundLaunch& launch, const abi::Dim& grid, unsigned axis) {
  const std::uint32_t count = std::min(stretches, extent(grid, axis));
  const bool is_line = std::uint64_t{grid.x} * grid.y * grid.z == extent(grid, axis);
  const std::uint32_t across = is_line ? 1 : most_across;
  std::vector<double> work(count);
  for (std::uint32_t stretch = 0; stretch < count; ++stretch) {
    for (std::uint32_t i = 0; i < across; ++i) {
      std::array<std::uint32_t, 3> at{};
      for (unsigned other = 0; other < 3; ++other) {
        at[other] = other == axis ? sample(extent(grid, axis), stretch, count)
                                  : sample(extent(grid, other), i, across);
      }
      work[stretch] += bytes_of_block(launch, place(at)) / across;
    }
  }
  return work;
}

}  // namespace

AxisProfile::AxisProfile(const std::vector<double>& work) {
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  if (all <= 0) return;  // nothing is known
  before_.resize(work.size() + 1);
  for (std::size_t i = 0; i < work.size(); ++i) before_[i + 1] = before_[i] + work[i] / all;
}

double AxisProfile::before(double place) const {
  if (is_even()) return place;
  const auto count = static_cast<double>(before_.size() - 1);
  const double at = std::clamp(place, 0.0, 1.0) * count;
  const std::size_t stretch = std::min(static_cast<std::size_t>(at), before_.size() - 2);
  const double inside = at - static_cast<double>(stretch);
  return before_[stretch] + inside * (before_[stretch + 1] - before_[stretch]);
}

double AxisProfile::place_of(double work) const {
  if (is_even() || work <= 0 || work >= 1) return std::clamp(work, 0.0, 1.0);
  const auto end = std::lower_bound(before_.begin() + 1, before_.end() - 1, work);
  const double inside = (work - *(end - 1)) / std::max(*end - *(end - 1), 1e-12);
  return (static_cast<double>(end - before_.begin() - 1) + std::min(inside, 1.0)) /
         static_cast<double>(before_.size() - 1);
}

double bytes_of_block(const BoundLaunch& launch, const abi::Dim& block) {
  const BlockBox one{block, {1, 1, 1}};
  const abi::Dim& threads = launch.block();
  const double lines = line_bytes * threads.x * threads.y * threads.z;
  double bytes = 0;
  for (const BoundArray& bound : launch.arrays()) {
    if (!bound.buffer) continue;
    for (std::uint32_t s = 0; s < bound.array->set_count; ++s) {
      const abi::ModelSet& set = bound.array->sets[s];
      const SetFootprint set_touches = footprint(launch, bound, set, one, bound.buffer->view());
      const double touched = touched_bytes(set_touches.boxes);
      const bool is_exact = (set.flags & abi::set_exact_block) && !set_touches.widened;
      bytes += is_exact ? touched : std::min(touched, lines);
    }
  }
  return bytes;
}

double bytes_of_middle_block(const BoundLaunch& launch, const abi::Dim& grid) {
  return bytes_of_block(launch, {grid.x / 2, grid.y / 2, grid.z / 2});
}

WorkProfile work_profile(const BoundLaunch& launch, const abi::Dim& grid) {
  WorkProfile profile;
  profile.block_bytes = bytes_of_middle_block(launch, grid);
  if (is_even(launch, grid)) return profile;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (extent(grid, axis) < few_blocks) continue;
    const std::vector<double> work = sample_axis(launch, grid, axis);
    const auto [least, most] = std::ranges::minmax(work);
    const double all = std::accumulate(work.begin(), work.end(), 0.0);
    profile.block_bytes = all / static_cast<double>(work.size());
    if (most > alike * least) profile.axes[axis] = AxisProfile(work);
  }
  return profile;
}

}  // namespace gridspan::runtime
