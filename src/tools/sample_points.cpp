// Evaluating models at a sample launch: values, conditions, and elements touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/sample_points.h"

#include "model/factors.h"
#include "tools/sample.h"

#include <algorithm>

namespace gridspan::tools {
namespace {

using model::Dimension;
using model::Kernel;

constexpr unsigned long count_limit = 300'000;
constexpr long loop_limit = 256;  // rounds of a loop that are drawn

/// First or last value a block dimension, or a product of one, has in the part.
std::optional<long> bound(const Kernel& kernel, const Dimension& dimension, const Sample& sample,
                          const std::array<long, 3>& block) {
  if (dimension.kind == Dimension::Kind::block) return block[dimension.axis % 3];
  if (dimension.kind != Dimension::Kind::product) return std::nullopt;
  const Dimension* base = model::find_dimension(kernel, dimension.base);
  auto factor = sample.values.find(dimension.factor);
  if (!base || factor == sample.values.end()) return std::nullopt;
  auto value = bound(kernel, *base, sample, block);
  if (!value) return std::nullopt;
  return *value * factor->second;
}

/// Thrown to leave foreach_point early.
struct Enough {};

void collect(const isl::set& set, std::size_t limit, std::vector<std::vector<long>>& into) {
  unsigned rank = set.tuple_dim();
  set.foreach_point([&](const isl::point& point) {
    if (into.size() >= limit) throw Enough();
    std::vector<long> subscripts;
    for (unsigned i = 0; i < rank; ++i)
      subscripts.push_back(
          isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, static_cast<int>(i)))
              .num_si());
    into.push_back(std::move(subscripts));
  });
}

/// Calls `take` with the image at the values for every round of the loops, up to `rounds` of each.
template <class Take>
void each_round(const model::FootprintPiece& piece, const Sample& sample, Values values,
                long rounds, const Take& take, std::size_t depth = 0) {
  if (depth == piece.loops.size()) {
    isl::set fixed = fix(piece.image, values);
    isl_size count = isl_set_dim(fixed.get(), isl_dim_param);
    fixed = isl::manage(isl_set_project_out(fixed.release(), isl_dim_param, 0, count));
    if (!fixed.is_empty()) take(fixed);
    return;
  }
  const model::NativeLoop& loop = piece.loops[depth];
  auto last = value_of(loop.last, values);
  for (long k = 0; last && k <= std::min(*last, rounds - 1); ++k) {
    values[loop.counter] = k;
    for (const Dimension& product : loop.products)
      if (auto factor = sample.values.find(product.factor); factor != sample.values.end())
        values[product.name] = k * factor->second;
    each_round(piece, sample, values, rounds, take, depth + 1);
  }
}

Values part_values(const Kernel& kernel, const Sample& sample, const SamplePart& part) {
  Values values = sample.values;
  for (const Dimension& dimension : kernel.dimensions) {
    if (auto first = bound(kernel, dimension, sample, part.first))
      values[model::part_first(dimension.name)] = *first;
    if (auto last = bound(kernel, dimension, sample, part.last))
      values[model::part_last(dimension.name)] = *last;
  }
  return values;
}

}  // namespace

isl::set fix(isl::set set, const Values& values) {
  isl_size count = isl_set_dim(set.get(), isl_dim_param);
  for (isl_size i = 0; i < count; ++i) {
    const char* name = isl_set_get_dim_name(set.get(), isl_dim_param, static_cast<unsigned>(i));
    auto known = name ? values.find(name) : values.end();
    if (known == values.end()) continue;
    isl_set* fixed = isl_set_fix_val(set.copy(), isl_dim_param, static_cast<unsigned>(i),
                                     isl_val_int_from_si(set.ctx().get(), known->second));
    if (!fixed) isl::exception::throw_last_error(set.ctx());
    set = isl::manage(fixed);
  }
  return set;
}

std::optional<long> value_of(const isl::pw_aff& value, const Values& values) {
  try {
    isl::val result = value.intersect_params(fix(value.domain().params(), values)).max_val();
    if (!result.is_int()) return std::nullopt;
    return result.num_si();
  } catch (const isl::exception&) {
    return std::nullopt;
  }
}

bool holds(const isl::set& condition, const Values& values) {
  return !fix(condition, values).is_empty();
}

std::optional<long> value_at(const isl::pw_aff& value, const Sample& sample) {
  return value_of(value, sample.values);
}

std::vector<std::vector<long>> touched(const Kernel& kernel, const model::AccessSet& set,
                                       const Sample& sample, const SamplePart& part,
                                       std::size_t limit) {
  std::vector<std::vector<long>> points;
  Values values = part_values(kernel, sample, part);
  for (const model::FootprintPiece& piece : set.pieces) {
    auto add = [&](const isl::set& image) { collect(image, limit, points); };
    try {
      model::within_limit(piece.image.ctx(), count_limit,
                          [&] { each_round(piece, sample, values, loop_limit, add); });
    } catch (const Enough&) {
    } catch (const isl::exception&) {  // unbounded at these sizes: nothing to draw
    }
  }
  return points;
}

std::optional<std::vector<std::pair<long, long>>> box_touched(const Kernel& kernel,
                                                              const model::AccessSet& set,
                                                              const Sample& sample,
                                                              const SamplePart& part) {
  std::vector<std::pair<long, long>> box;
  bool is_bounded = true;
  auto add = [&](const isl::set& image) {
    for (unsigned i = 0; i < image.tuple_dim() && is_bounded; ++i) {
      isl::val low = image.dim_min_val(static_cast<int>(i));
      isl::val high = image.dim_max_val(static_cast<int>(i));
      is_bounded = low.is_int() && high.is_int();
      if (!is_bounded) return;
      if (box.size() <= i) box.emplace_back(low.num_si(), high.num_si());
      box[i] = {std::min(box[i].first, low.num_si()), std::max(box[i].second, high.num_si())};
    }
  };
  constexpr long rounds = 3;
  Values values = part_values(kernel, sample, part);
  for (const model::FootprintPiece& piece : set.pieces) {
    try {
      is_bounded &= model::within_limit(piece.image.ctx(), count_limit,
                                        [&] { each_round(piece, sample, values, rounds, add); });
    } catch (const isl::exception&) {
      is_bounded = false;
    }
  }
  if (!is_bounded || box.empty()) return std::nullopt;
  return box;
}

}  // namespace gridspan::tools
