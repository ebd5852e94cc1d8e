// Boxes read off constraints; else sets against the products of their shadows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/box_shape.h"

#include "codegen/box_factors.h"
#include "codegen/isl_code.h"

namespace gridspan::codegen {

namespace {

/// isl operations to prove that a set is what its constraints tell.
constexpr unsigned long read_limit = 40'000;
/// ... and for a search. What succeeds does with a fraction of them.
constexpr unsigned long search_limit = 60'000;

constexpr unsigned max_pieces_with_quotients = 4;

isl::pw_aff lowest(const isl::set& values) {
  if (isl_set_dim_has_lower_bound(values.get(), isl_dim_set, 0) != isl_bool_true)
    throw Unwritable("no lower bound");
  return checked(values.ctx(), isl_set_dim_min(values.copy(), 0));
}

isl::pw_aff highest(const isl::set& values) {
  if (isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) != isl_bool_true)
    throw Unwritable("no upper bound");
  return checked(values.ctx(), isl_set_dim_max(values.copy(), 0));
}

/// The values of one subscript as a set of rank 1.
isl::set shadow_of(const isl::set& set, unsigned index) {
  isl_set* raw = isl_set_project_out(set.copy(), isl_dim_set, index + 1, rank_of(set) - index - 1);
  return checked(set.ctx(), isl_set_project_out(raw, isl_dim_set, 0, index)).coalesce();
}

/// All points of rank `rank` whose subscript `index` is in `shadow`.
isl::set lift(const isl::set& shadow, unsigned index, unsigned rank) {
  isl_set* raw = isl_set_insert_dims(shadow.copy(), isl_dim_set, 1, rank - index - 1);
  return checked(shadow.ctx(), isl_set_insert_dims(raw, isl_dim_set, 0, index));
}

bool is_product(const isl::set& set, const std::vector<isl::set>& shadows) {
  if (shadows.size() == 1) return true;
  isl::set product = lift(shadows[0], 0, rank_of(set));
  for (unsigned i = 1; i < shadows.size(); ++i)
    product = product.intersect(lift(shadows[i], i, rank_of(set)));
  return product.is_subset(set);
}

/// Is a set of rank 1 just the values of a range between these ends?
bool is_range(const isl::set& values, const isl::pw_aff& first, const isl::pw_aff& last,
              long stride) {
  if (is_plain(values) && stride == 1) return true;
  const isl::pw_aff value = subscript(values, 0);
  const isl::pw_aff lowest = first.insert_domain(values.space());
  isl::set points =
      value.ge_set(lowest).intersect(value.le_set(last.insert_domain(values.space())));
  if (stride != 1) {
    const isl::pw_aff rest = value.sub(lowest).mod(isl::val(values.ctx(), stride));
    points = points.intersect(rest.eq_set(rest.scale(0)));
  }
  return points.is_subset(values);
}

std::optional<Box> product_of_ranges(const isl::set& set, const isl::set& facts) {
  const std::optional<Factors> factors = factors_of(set);
  if (!factors) return std::nullopt;
  Box box{factors->condition, {}};
  const isl::set known = facts.intersect(box.condition);
  for (const isl::set& values : factors->values) {
    std::optional<GuardedRange> range = range_of(values, known);
    if (!range) return std::nullopt;
    box.condition = box.condition.intersect(range->condition);
    box.ranges.push_back(std::move(range->range));
  }
  return box;
}

/// What constraints do not tell isl may find, at a price.
std::optional<Box> search_box(const isl::set& set, const isl::set& facts) {
  std::vector<isl::set> shadows;
  for (unsigned i = 0; i < rank_of(set); ++i) shadows.push_back(shadow_of(set, i));
  if (!is_product(set, shadows)) return std::nullopt;
  Box box{set.params(), {}};
  for (const isl::set& shadow : shadows) {
    const isl::pw_aff first = lowest(shadow), last = highest(shadow);
    const long stride = stride_of(shadow, 0);
    if (!is_range(shadow, first, last, stride)) return std::nullopt;
    box.ranges.push_back({{first.coalesce().gist(facts)}, {last.coalesce().gist(facts)}, stride});
  }
  return box;
}

/// Of many pieces with quotients isl would have to tell apart too many cases.
bool is_hopeless(const isl::set& set) {
  return set.n_basic_set() > max_pieces_with_quotients && set.involves_locals();
}

}  // namespace

unsigned rank_of(const isl::set& set) { return set.tuple_dim(); }

std::optional<Box> read_box(const isl::set& set, const isl::set& facts) {
  std::optional<Box> box;
  model::within_limit(set.ctx(), read_limit, [&] { box = product_of_ranges(set, facts); });
  return box;
}

std::optional<Box> as_box(const isl::set& set, const isl::set& facts) {
  std::optional<Box> box = read_box(set.gist_params(facts).coalesce(), facts);
  if (!box && !is_hopeless(set))
    model::within_limit(set.ctx(), search_limit,
                        [&] { box = search_box(set.intersect_params(facts), facts); });
  return box;
}

std::vector<BoxRange> hull_of(const isl::set& set, const std::vector<isl::pw_aff>& extents) {
  std::vector<BoxRange> ranges;
  for (unsigned i = 0; i < rank_of(set); ++i) {
    BoxRange& range = ranges.emplace_back(ends_of(hull(shadow_of(set, i))).range);
    if (i > 0 && i <= extents.size()) {
      range.first.push_back(model::constant_value(set.ctx(), 0));
      range.last.push_back(extents[i - 1].add_constant(-1));
    }
    if (range.first.empty() || range.last.empty()) throw Unwritable("no bound");
  }
  return ranges;
}

isl::set bar_of(const isl::set& set, unsigned index) {
  const isl::set shadow = shadow_of(set, index);
  isl::set bar = lift(shadow, index, rank_of(set));
  for (const isl::pw_aff& end : {lowest(shadow), highest(shadow)}) {
    const isl::set there =
        set.intersect(subscript(set, index).eq_set(end.insert_domain(set.space())));
    bar = bar.intersect(checked(set.ctx(), isl_set_eliminate(there.copy(), isl_dim_set, index, 1)));
  }
  return bar.coalesce();
}

}  // namespace gridspan::codegen
