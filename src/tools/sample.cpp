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
constexpr long drawn_side = 64;  // cells of an array, each way
constexpr std::size_t points_limit = 6000;

bool uses_threads(const Kernel& kernel, int axis) {
  return std::any_of(kernel.dimensions.begin(), kernel.dimensions.end(), [&](const auto& d) {
    return d.kind == model::Dimension::Kind::thread && d.axis == static_cast<unsigned>(axis);
  });
}

int axis_to_cut(const Kernel& kernel) {
  if (kernel.suggested_axis >= 0 && kernel.suggested_axis < 3) return kernel.suggested_axis;
  for (int i = 0; i < 3; ++i)
    if (can_be_split(kernel, i)) return i;
  for (int i = 0; i < 3; ++i)
    if (uses_axis(kernel, i)) return i;
  return 0;
}

/// Blocks along each axis, cut into parts along one; `is_single`: only one block along the others.
void set_grid(const Kernel& kernel, Sample& sample, bool is_single) {
  int axes = 0;
  for (int i = 0; i < 3; ++i) axes += uses_axis(kernel, i);
  long granularity = std::clamp(static_cast<long>(kernel.axes[sample.axis].granularity), 1L, 8L);
  for (int i = 0; i < 3; ++i)
    sample.grid[i] = is_single || !uses_axis(kernel, i) ? 1 : axes == 3 ? 2 : 4;
  long each = (axes < 2 ? 2 : 1);
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

/// How good the sample is to look at: first of all what the kernel relies on holds, then every part
/// writes, then as much as possible happens on arrays that are not too large.
double score(const Kernel& kernel, const Sample& sample) {
  double points = 0;
  for (const model::Assumption& assumption : kernel.assumptions)
    if (!assumption.condition.is_null() && !holds(assumption.condition, sample.values))
      points -= 100'000;
  if (!kernel.context.is_null() && !holds(kernel.context, sample.values)) points -= 1'000'000;
  auto launches = splittable_launches(kernel, sample.axis);
  if (!launches.is_null() && !holds(launches, sample.values)) points -= 100'000;
  for (const model::Array& array : kernel.arrays)
    for (const model::AccessSet& set : array.sets) {
      auto elements = touched(kernel, set, sample, whole_grid(sample), points_limit);
      std::set<std::vector<long>> distinct(elements.begin(), elements.end());
      points += static_cast<double>(distinct.size()) * (writes(set) ? 2 : 1);
      if (distinct.size() >= points_limit) points -= 4 * points_limit;
      for (std::size_t i = 0; i < array.rank() && !distinct.empty(); ++i) {
        long low = 0, high = 0;
        for (const auto& element : distinct) {
          low = std::min(low, element[i]);
          high = std::max(high, element[i]);
        }
        if (low < 0) points -= 5'000;
        if (high >= drawn_side) points -= array.rank() == 1 ? 100 : 5'000;
      }
      if (writes(set) && !set.unbounded && distinct.empty()) points -= 10'000;
    }
  for (const model::Array& array : kernel.arrays)
    for (const isl::pw_aff& extent : array.extents)
      points -= static_cast<double>(value_at(extent, sample).value_or(100));
  for (const auto& [name, value] : sample.values) points -= 0.01 * static_cast<double>(value);
  return points;
}

/// Grid-stride loops, which show what they do when they go round more than once.
bool has_native_loops(const Kernel& kernel) {
  for (const model::Array& array : kernel.arrays)
    for (const model::AccessSet& set : array.sets)
      for (const model::FootprintPiece& piece : set.pieces)
        if (!piece.loops.empty()) return true;
  return false;
}

std::vector<long> candidates(const Kernel& kernel, const Sample& sample) {
  std::set<long> values = {1, 2, 4};
  for (int i = 0; i < 3; ++i) {
    values.insert(sample.grid[i] * sample.block[i]);
    if (has_native_loops(kernel)) values.insert(2 * sample.grid[i] * sample.block[i]);
    values.insert(sample.grid[i]);
    values.insert(sample.block[i]);
  }
  return {values.begin(), values.end()};
}

/// Improves one argument at a time. Returns the score reached.
double fit_arguments(const Kernel& kernel, Sample& sample, isl::ctx context) {
  long start = 1;
  for (int i = 0; i < 3; ++i) start = std::max(start, sample.grid[i] * sample.block[i]);
  std::vector<const Parameter*> arguments;
  for (const Parameter& parameter : kernel.parameters)
    if (parameter.kind == Parameter::Kind::argument) {
      sample.values[parameter.name] = start;
      arguments.push_back(&parameter);
    }
  set_derived(kernel, sample, context);
  double best = score(kernel, sample);
  constexpr int sweeps = 2;
  for (int sweep = 0; sweep < sweeps && arguments.size() <= 8; ++sweep)
    for (const Parameter* argument : arguments)
      for (long value : candidates(kernel, sample)) {
        Sample other = sample;
        other.values[argument->name] = value;
        set_derived(kernel, other, context);
        double reached = score(kernel, other);
        if (reached <= best) continue;
        best = reached;
        sample = other;
      }
  return best;
}

/// Threads of a block along the axes the kernel uses.
std::vector<std::array<long, 3>> block_shapes(const Kernel& kernel) {
  int used = 0;
  for (int i = 0; i < 3; ++i) used += uses_threads(kernel, i);
  std::vector<std::array<long, 3>> shapes;
  for (long side : used == 3 ? std::vector<long>{4, 8} : std::vector<long>{8, 16, 4, 32}) {
    std::array<long, 3> shape{1, 1, 1};
    long threads = 1;
    for (int i = 0; i < 3; ++i) {
      if (uses_threads(kernel, i)) shape[i] = side;
      threads *= shape[i];
    }
    if (!kernel.max_threads || threads <= static_cast<long>(kernel.max_threads))
      shapes.push_back(shape);
  }
  if (shapes.empty()) shapes.push_back({1, 1, 1});
  return shapes;
}

isl::ctx context_of(const Kernel& kernel) {
  for (const model::Array& array : kernel.arrays)
    for (const model::AccessSet& set : array.sets)
      for (const model::FootprintPiece& piece : set.pieces) return piece.image.ctx();
  return isl::ctx(nullptr);
}

}  // namespace

std::optional<Sample> choose_sample(const Kernel& kernel) {
  isl::ctx context = context_of(kernel);
  if (!context.get()) return std::nullopt;
  constexpr double good_enough = -1000;  // nothing the kernel relies on fails
  std::optional<Sample> best;
  double best_score = 0;
  for (const std::array<long, 3>& shape : block_shapes(kernel))
    for (bool is_single : {false, true}) {
      if (best && best_score > good_enough) return best;
      Sample sample;
      sample.axis = axis_to_cut(kernel);
      sample.block = shape;
      set_grid(kernel, sample, is_single);
      double reached = fit_arguments(kernel, sample, context);
      if (best && reached <= best_score) continue;
      best = sample;
      best_score = reached;
    }
  return best;
}

}  // namespace gridspan::tools
