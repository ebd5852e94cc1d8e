// Numbers into constraints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a constraint says of one subscript follows from the ranges of the others: not all of it, but
// boxes are but to lie around.
#include "model/concrete.h"

#include <algorithm>

namespace gridspan::model {
namespace {

using Wide = __int128;

constexpr long most_magnitude = 1L << 61;  // numbers beyond are as good as that
constexpr int rounds = 3;  // until what one subscript says of another has got around

long clamped(Wide value) {
  return static_cast<long>(std::clamp<Wide>(value, -most_magnitude, most_magnitude));
}

long floor_divided(long a, long b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

ConcreteSet::ConcreteSet(const isl::set& set)
    : set_(set), rank_(static_cast<std::size_t>(isl_set_dim(set.get(), isl_dim_set))) {
  isl::set plain = set;
  if (set.involves_locals()) {
    is_of_boxes_ = false;
    plain = isl::manage(isl_set_remove_divs(set.copy()));
  }
  plain.foreach_basic_set([&](const isl::basic_set& piece) { add(piece); });
}

// Nothing where its numbers are too large to matter.
std::optional<ConcreteSet::Bound> ConcreteSet::bound(isl_constraint* constraint,
                                                     const isl::basic_set& piece) const {
  Bound bound;
  bound.is_equality = isl_constraint_is_equality(constraint) == isl_bool_true;
  const isl::val large(piece.ctx(), endless);
  bool is_small = true;
  const auto factors = [&](isl_dim_type type, unsigned count, const auto& add) {
    for (unsigned i = 0; i < count; ++i) {
      const isl::val factor =
          isl::manage(isl_constraint_get_coefficient_val(constraint, type, static_cast<int>(i)));
      is_small = is_small && factor.abs().lt(large);
      if (is_small && !factor.is_zero()) add(i, factor.num_si());
    }
  };
  factors(isl_dim_set, static_cast<unsigned>(rank_),
          [&](unsigned i, long factor) { bound.subscripts.emplace_back(i, factor); });
  const int parameters = isl_basic_set_dim(piece.get(), isl_dim_param);
  factors(isl_dim_param, static_cast<unsigned>(parameters), [&](unsigned i, long factor) {
    bound.parameters.emplace_back(isl_basic_set_get_dim_name(piece.get(), isl_dim_param, i),
                                  factor);
  });
  const isl::val constant = isl::manage(isl_constraint_get_constant_val(constraint));
  if (!is_small || constant.abs().gt(isl::val(piece.ctx(), most_magnitude))) return std::nullopt;
  bound.constant = constant.num_si();
  return bound;
}

void ConcreteSet::add(const isl::basic_set& piece) {
  Piece bounds;
  for_each_constraint(piece, [&](isl_constraint* constraint) {
    std::optional<Bound> found = bound(constraint, piece);
    if (found && found->subscripts.size() > 1) is_of_boxes_ = false;
    if (found) bounds.push_back(std::move(*found));
  });
  pieces_.push_back(std::move(bounds));
}

std::optional<Box> ConcreteSet::box(const Piece& piece, const Values& values) const {
  Box box(rank_, Range{-endless, endless});
  // sum + factor*subscript + others >= 0.
  const auto narrow = [&](const Bound& bound, std::size_t at, Wide sum, bool negated) {
    long factor = 0;
    for (const auto& [subscript, times] : bound.subscripts) {
      const long f = negated ? -times : times;
      if (subscript == at) {
        factor = f;
        continue;
      }
      const Range& range = box[subscript];
      sum += static_cast<Wide>(f) * (f > 0 ? range.end - 1 : range.first);
    }
    const long rest = clamped(sum);
    if (factor > 0) box[at].first = std::max(box[at].first, -floor_divided(rest, factor));
    if (factor < 0) box[at].end = std::min(box[at].end, floor_divided(rest, -factor) + 1);
  };
  for (int round = 0; round < rounds; ++round) {
    for (const Bound& bound : piece) {
      Wide sum = bound.constant;
      bool is_known = true;  // else the bound says nothing
      for (const auto& [name, factor] : bound.parameters) {
        const auto value = values.find(name);
        is_known = is_known && value != values.end();
        if (is_known) sum += static_cast<Wide>(factor) * value->second;
      }
      if (!is_known) continue;
      if (bound.subscripts.empty() && (bound.is_equality ? sum != 0 : sum < 0)) return std::nullopt;
      for (const auto& [subscript, factor] : bound.subscripts) {
        narrow(bound, subscript, sum, false);
        if (bound.is_equality) narrow(bound, subscript, -sum, true);
      }
      if (is_empty(box)) return std::nullopt;
    }
    if (is_of_boxes_) break;
  }
  return box;
}

std::map<std::size_t, Box> ConcreteSet::boxes(const Values& values) const {
  std::map<std::size_t, Box> all;
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    if (const std::optional<Box> found = box(pieces_[i], values)) all.emplace(i, *found);
  return all;
}

}  // namespace gridspan::model
