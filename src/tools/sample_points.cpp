// Evaluating models at a sample launch: values, conditions, and elements touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/sample_points.h"
#include "tools/sample.h"

#include <algorithm>

namespace gridspan::tools {
namespace {

using model::Dimension;
using model::Kernel;

constexpr unsigned long operation_limit = 300'000;
constexpr long loop_limit = 256;  // iterations of a native loop that are drawn

const Dimension* find(const Kernel& kernel, const std::string& name) {
  for (const Dimension& dimension : kernel.dimensions)
    if (dimension.name == name) return &dimension;
  return nullptr;
}

/// First or last value a block dimension, or a product of one, has in the part.
std::optional<long> bound(const Kernel& kernel, const Dimension& dimension, const Sample& sample,
                          const std::array<long, 3>& block) {
  if (dimension.kind == Dimension::Kind::block) return block[dimension.axis % 3];
  if (dimension.kind != Dimension::Kind::product) return std::nullopt;
  const Dimension* base = find(kernel, dimension.base);
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
  set.foreach_point([&](isl::point point) {
    if (into.size() >= limit) throw Enough();
    std::vector<long> subscripts;
    for (unsigned i = 0; i < rank; ++i)
      subscripts.push_back(
          isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, static_cast<int>(i)))
              .num_si());
    into.push_back(std::move(subscripts));
  });
}

class Footprint {
 public:
  Footprint(const Sample& sample, std::size_t limit) : sample_(sample), limit_(limit) {}

  void add(const model::FootprintPiece& piece, Values values, std::size_t depth = 0) {
    if (depth == piece.loops.size()) {
      isl::set fixed = fix(piece.image, values);
      if (fixed.params().project_out_all_params().is_empty()) return;
      collect(drop_parameters(fixed), limit_, points);
      return;
    }
    const model::NativeLoop& loop = piece.loops[depth];
    auto last = value_of(loop.last, values);
    for (long k = 0; last && k <= std::min(*last, loop_limit); ++k) {
      values[loop.counter] = k;
      for (const Dimension& product : loop.products)
        if (auto factor = sample_.values.find(product.factor); factor != sample_.values.end())
          values[product.name] = k * factor->second;
      add(piece, values, depth + 1);
    }
  }

  std::vector<std::vector<long>> points;

 private:
  static isl::set drop_parameters(const isl::set& set) {
    isl_size count = isl_set_dim(set.get(), isl_dim_param);
    return isl::manage(isl_set_project_out(set.copy(), isl_dim_param, 0, count));
  }
  const Sample& sample_;
  std::size_t limit_;
};

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
  isl_set* fixed = set.release();
  isl_size count = isl_set_dim(fixed, isl_dim_param);
  for (isl_size i = 0; i < count; ++i) {
    auto known = values.find(isl_set_get_dim_name(fixed, isl_dim_param, static_cast<unsigned>(i)));
    if (known != values.end())
      fixed = isl_set_fix_si(fixed, isl_dim_param, static_cast<unsigned>(i),
                             static_cast<int>(known->second));
  }
  return isl::manage(fixed);
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
  Footprint footprint(sample, limit);
  Values values = part_values(kernel, sample, part);
  for (const model::FootprintPiece& piece : set.pieces) {
    try {
      model::within_limit(piece.image.ctx(), operation_limit,
                          [&] { footprint.add(piece, values); });
    } catch (const Enough&) {
    } catch (const isl::exception&) {  // unbounded at these sizes: nothing to draw
    }
  }
  return std::move(footprint.points);
}

}  // namespace gridspan::tools
