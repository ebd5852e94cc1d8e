// Choosing a launch to draw: grid and block first, then integer arguments by trying.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/sample.h"

#include "tools/remarks.h"
#include "tools/sample_points.h"

#include <algorithm>
#include <set>

namespace gridspan::tools {
namespace {

using model::Kernel;
using model::Parameter;

constexpr long part_count = 4;
constexpr long drawn_side = 128;  // cells of an array that can be drawn, each way
constexpr long good_side = 64;    // and that look well

bool uses_threads(const Kernel& kernel, int axis) {
  return shows_axis(kernel, model::Dimension::Kind::thread, axis);
}

bool uses_blocks(const Kernel& kernel, int axis) {
  return shows_axis(kernel, model::Dimension::Kind::block, axis);
}

int axis_to_cut(const Kernel& kernel) {
  if (kernel.suggested_axis >= 0 && kernel.suggested_axis < 3) return kernel.suggested_axis;
  for (int i = 0; i < 3; ++i)
    if (can_be_split(kernel, i)) return i;
  for (int i = 0; i < 3; ++i)
    if (uses_blocks(kernel, i)) return i;
  return 0;
}

/// Blocks along each axis, cut into parts along one; `is_single`: only one block along the others.
void set_grid(const Kernel& kernel, Sample& sample, bool is_single) {
  int axes = 0;
  for (int i = 0; i < 3; ++i) axes += uses_blocks(kernel, i);
  long granularity = std::clamp(static_cast<long>(kernel.axes[sample.axis].granularity), 1L, 8L);
  for (int i = 0; i < 3; ++i)
    sample.grid[i] = is_single || !uses_blocks(kernel, i) ? 1 : axes == 3 ? 2 : 4;
  bool is_long = sample.block[static_cast<std::size_t>(sample.axis)] >= 64;
  long each = axes < 2 && !is_long ? 2 : 1;
  each = (each + granularity - 1) / granularity * granularity;
  sample.grid[sample.axis] = each * part_count;
  sample.parts.clear();
  for (long i = 0; i < part_count; ++i) {
    SamplePart part;
    for (int axis = 0; axis < 3; ++axis) part.last[axis] = sample.grid[axis] - 1;
    part.first[sample.axis] = i * each;
    part.last[sample.axis] = (i + 1) * each - 1;
    sample.parts.push_back(part);
  }
}

/// Parameters that others determine: gridDim, blockDim, products, expressions.
void set_derived(const Kernel& kernel, Sample& sample, isl::ctx context) {
  for (const Parameter& parameter : kernel.parameters) {
    long& value = sample.values[parameter.name];
    switch (parameter.kind) {
      case Parameter::Kind::grid_dim:
        value = sample.grid[parameter.axis % 3];
        break;
      case Parameter::Kind::block_dim:
        value = sample.block[parameter.axis % 3];
        break;
      case Parameter::Kind::argument:
        break;
      case Parameter::Kind::product:
        value = 1;
        for (const std::string& factor : parameter.factors) value *= sample.values[factor];
        break;
      case Parameter::Kind::quotient:
        value = std::max(sample.values[parameter.factors.at(0)], 0L);
        if (const long divisor = sample.values[parameter.factors.at(1)]; divisor > 0)
          value /= divisor;
        else
          value = 0;
        break;
      case Parameter::Kind::expression:
        value = value_of(isl::pw_aff(context, parameter.expression), sample.values).value_or(0);
        break;
    }
  }
}

SamplePart whole_grid(const Sample& sample) {
  SamplePart part;
  for (int axis = 0; axis < 3; ++axis) part.last[axis] = sample.grid[axis] - 1;
  return part;
}

bool writes(const model::AccessSet& set) { return set.kind != model::SetKind::read; }

/// One in the middle, away from guards.
SamplePart one_block(const Sample& sample) {
  SamplePart part;
  for (std::size_t i = 0; i < 3; ++i) part.first[i] = part.last[i] = sample.grid[i] / 2;
  return part;
}

double size_of(const std::vector<std::pair<long, long>>& box) {
  double size = 1;
  for (const auto& [low, high] : box) size *= static_cast<double>(high - low + 1);
  return size;
}

/// Grid-stride loops, which show what they do when they go round more than once.
bool has_native_loops(const Kernel& kernel) {
  for (const model::Array& array : kernel.arrays)
    for (const model::AccessSet& set : array.sets)
      for (const model::FootprintPiece& piece : set.pieces)
        if (!piece.loops.empty()) return true;
  return false;
}

/// How good a sample is to look at.
struct Score {
  double faults = 0;  // what the kernel relies on fails, parts without work, holes, too large
  double sights = 0;  // how much there is to see
  bool operator>(const Score& other) const { return sights - faults > other.sights - other.faults; }
};

/// Of an inner subscript whose extent is a constant, all of the extent: gaps within tiles count.
double size_with_tiles(const model::Array& array, const std::vector<std::pair<long, long>>& box) {
  double size = 1;
  for (std::size_t i = 0; i < box.size(); ++i) {
    double count = static_cast<double>(box[i].second - box[i].first + 1);
    if (i > 0)
      if (auto tile = value_of(array.extents[i - 1], {}))
        count = std::max(count, static_cast<double>(*tile));
    size *= count;
  }
  return size;
}

void rate_set(const Kernel& kernel, const model::Array& array, const model::AccessSet& set,
              const Sample& sample, Score& score) {
  if (set.unbounded) return;
  constexpr double most_sights = 16'384;
  auto whole = box_touched(kernel, set, sample, whole_grid(sample));
  if (!whole) {
    score.faults += writes(set) ? 10'000 : 0;
    return;
  }
  double size = size_of(*whole);
  score.sights += std::min(size, most_sights) * (writes(set) ? 2 : 1);
  for (const auto& [low, high] : *whole) {
    if (low < 0) score.faults += 5'000;
    if (whole->size() > 1 && high >= drawn_side) score.faults += 5'000;
    if (high >= good_side) score.sights -= whole->size() > 1 ? 500 : 100;
  }
  if (!writes(set)) return;
  for (const SamplePart& part : sample.parts)
    if (!box_touched(kernel, set, sample, part)) score.faults += 2'000;
  // Gaps between blocks, because they are smaller than the kernel's tiles.
  if (auto one = box_touched(kernel, set, sample, one_block(sample))) {
    double blocks = static_cast<double>(sample.grid[0] * sample.grid[1] * sample.grid[2]);
    double all = size_with_tiles(array, *whole);
    score.faults += 6'000 * std::max(0.0, 1 - blocks * size_of(*one) / all);
  }
}

Score rate(const Kernel& kernel, const Sample& sample) {
  Score score;
  for (const model::Assumption& assumption : kernel.assumptions)
    if (!assumption.condition.is_null() && !holds(assumption.condition, sample.values))
      score.faults += 100'000;
  if (!kernel.context.is_null() && !holds(kernel.context, sample.values)) score.faults += 1'000'000;
  auto launches = splittable_launches(kernel, sample.axis);
  if (!launches.is_null() && !holds(launches, sample.values)) score.faults += 100'000;
  if (score.faults > 0) return score;  // whatever there is to see
  for (const model::Array& array : kernel.arrays) {
    for (const model::AccessSet& set : array.sets) rate_set(kernel, array, set, sample, score);
    for (const isl::pw_aff& extent : array.extents)
      score.sights -= static_cast<double>(value_at(extent, sample).value_or(100));
  }
  // Guards usually end where the grid does, and loops go round more than once.
  const long rounds = has_native_loops(kernel) ? 2 : 1;
  for (const Parameter& parameter : kernel.parameters) {
    long value = sample.values.at(parameter.name);
    score.sights -= 0.01 * static_cast<double>(value);
    for (std::size_t i = 0; i < 3 && parameter.kind == Parameter::Kind::argument; ++i)
      if (value > 1 && value == rounds * sample.grid[i] * sample.block[i]) {
        score.sights += 200;
        break;
      }
  }
  return score;
}

std::vector<long> candidates(const Kernel& kernel, const Sample& sample) {
  std::set<long> values = {1, 2, 4};
  for (int i = 0; i < 3; ++i) {
    values.insert(sample.grid[i] * sample.block[i]);
    // Kernels that know their tiles: blockIdx.x * 32.
    if (sample.grid[i] > 1)
      for (long tile : {16, 32, 128}) values.insert(sample.grid[i] * tile);
    if (has_native_loops(kernel)) values.insert(2 * sample.grid[i] * sample.block[i]);
    values.insert(sample.grid[i]);
    values.insert(sample.block[i]);
  }
  return {values.begin(), values.end()};
}

/// Improves one argument at a time. Returns the score reached.
Score fit_arguments(const Kernel& kernel, Sample& sample, isl::ctx context, int& attempts) {
  long start = 1;
  for (int i = 0; i < 3; ++i) start = std::max(start, sample.grid[i] * sample.block[i]);
  std::vector<const Parameter*> arguments;
  for (const Parameter& parameter : kernel.parameters)
    if (parameter.kind == Parameter::Kind::argument) {
      sample.values[parameter.name] = start;
      arguments.push_back(&parameter);
    }
  set_derived(kernel, sample, context);
  Score best = rate(kernel, sample);
  constexpr int sweeps = 2;
  for (int sweep = 0; sweep < sweeps && arguments.size() <= 8; ++sweep)
    for (const Parameter* argument : arguments)
      for (long value : candidates(kernel, sample)) {
        if (--attempts < 0) return best;
        Sample other = sample;
        other.values[argument->name] = value;
        set_derived(kernel, other, context);
        Score reached = rate(kernel, other);
        if (!(reached > best)) continue;
        best = reached;
        sample = other;
      }
  return best;
}

/// Threads of a block along the axes the kernel uses.
std::vector<std::array<long, 3>> block_shapes(const Kernel& kernel) {
  std::array<bool, 3> used{};
  for (int i = 0; i < 3; ++i) used[static_cast<std::size_t>(i)] = uses_threads(kernel, i);
  int count = used[0] + used[1] + used[2];
  std::vector<std::array<long, 3>> sizes = {{8, 8, 8},  {16, 16, 16}, {32, 32, 32},
                                            {32, 8, 8}, {64, 1, 1},   {128, 1, 1}};
  if (count == 3) sizes = {{4, 4, 4}, {8, 8, 8}, {8, 8, 4}};
  std::vector<std::array<long, 3>> shapes;
  for (const std::array<long, 3>& size : sizes) {
    std::array<long, 3> shape{1, 1, 1};
    long threads = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      if (used[i]) shape[i] = size[i];
      threads *= shape[i];
    }
    bool fits = !kernel.max_threads || threads <= static_cast<long>(kernel.max_threads);
    if (fits && std::find(shapes.begin(), shapes.end(), shape) == shapes.end())
      shapes.push_back(shape);
  }
  if (shapes.empty()) shapes.push_back({1, 1, 1});
  return shapes;
}

isl::ctx context_of_sets(const Kernel& kernel) {
  for (const model::Array& array : kernel.arrays)
    for (const model::AccessSet& set : array.sets)
      for (const model::FootprintPiece& piece : set.pieces) return piece.image.ctx();
  return isl::ctx(nullptr);
}

}  // namespace

std::optional<Sample> choose_sample(const Kernel& kernel) {
  isl::ctx context = context_of_sets(kernel);
  if (!context.get()) return std::nullopt;
  std::optional<Sample> best;
  Score best_score;
  int attempts = 150;  // more would take longer than the picture is worth
  for (const std::array<long, 3>& shape : block_shapes(kernel))
    for (bool is_single : {false, true}) {
      if (best && best_score.faults < 100) return best;
      Sample sample;
      sample.axis = axis_to_cut(kernel);
      sample.block = shape;
      set_grid(kernel, sample, is_single);
      Score reached = fit_arguments(kernel, sample, context, attempts);
      if (best && !(reached > best_score)) continue;
      best = sample;
      best_score = reached;
    }
  return best;
}

}  // namespace gridspan::tools
