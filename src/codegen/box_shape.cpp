// Sets against the products of their shadows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/box_shape.h"

#include "codegen/isl_code.h"

#include <algorithm>

namespace gridspan::codegen {

namespace {

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

/// Convex, and no quotients: an interval if it is of rank 1.
bool is_plain(const isl::set& set) { return set.n_basic_set() == 1 && !set.involves_locals(); }

/// Does no constraint relate two subscripts? Then the set is the product of its shadows.
bool is_separable(const isl::set& set) {
  if (!is_plain(set)) return false;
  isl_basic_set_list* basic = isl_set_get_basic_set_list(set.get());
  isl_basic_set* piece = isl_basic_set_list_get_basic_set(basic, 0);
  isl_constraint_list* constraints = isl_basic_set_get_constraint_list(piece);
  bool separable = true;
  for (int i = 0; i < isl_constraint_list_n_constraint(constraints); ++i) {
    isl_constraint* constraint = isl_constraint_list_get_constraint(constraints, i);
    unsigned subscripts = 0;
    for (unsigned dim = 0; dim < rank_of(set); ++dim)
      subscripts += isl_constraint_involves_dims(constraint, isl_dim_set, dim, 1) == isl_bool_true;
    separable = separable && subscripts <= 1;
    isl_constraint_free(constraint);
  }
  isl_constraint_list_free(constraints);
  isl_basic_set_free(piece);
  isl_basic_set_list_free(basic);
  return separable;
}

bool is_product(const isl::set& set, const std::vector<isl::set>& shadows) {
  if (shadows.size() == 1 || is_separable(set)) return true;
  isl::set product = lift(shadows[0], 0, rank_of(set));
  for (unsigned i = 1; i < shadows.size(); ++i)
    product = product.intersect(lift(shadows[i], i, rank_of(set)));
  return product.is_subset(set);
}

/// Is a set of rank 1 just the values of a range between its ends?
bool is_range(const isl::set& values, const BoxRange& range) {
  if (is_plain(values) && range.stride == 1) return true;
  const isl::pw_aff value = subscript(values, 0);
  const isl::pw_aff first = range.first.insert_domain(values.space());
  isl::set points =
      value.ge_set(first).intersect(value.le_set(range.last.insert_domain(values.space())));
  if (range.stride != 1) {
    const isl::pw_aff rest = value.sub(first).mod(isl::val(values.ctx(), range.stride));
    points = points.intersect(rest.eq_set(rest.scale(0)));
  }
  return points.is_subset(values);
}

}  // namespace

unsigned rank_of(const isl::set& set) { return set.tuple_dim(); }

isl::pw_aff subscript(const isl::set& set, unsigned index) {
  isl_local_space* space = isl_local_space_from_space(set.space().release());
  return checked(set.ctx(), isl_pw_aff_from_aff(isl_aff_var_on_domain(space, isl_dim_set, index)));
}

/// isl says 0 for a constant.
long stride_of(const isl::set& set, unsigned index) {
  const isl::val stride =
      checked(set.ctx(), isl_set_get_stride(set.get(), static_cast<int>(index)));
  return std::max(1L, isl_val_get_num_si(stride.get()));
}

std::optional<std::vector<BoxRange>> as_box(const isl::set& set) {
  std::vector<isl::set> shadows;
  for (unsigned i = 0; i < rank_of(set); ++i) shadows.push_back(shadow_of(set, i));
  if (!is_product(set, shadows)) return std::nullopt;
  std::vector<BoxRange> ranges;
  for (const isl::set& shadow : shadows) {
    ranges.push_back({lowest(shadow), highest(shadow), stride_of(shadow, 0)});
    if (!is_range(shadow, ranges.back())) return std::nullopt;
  }
  return ranges;
}

std::vector<BoxRange> hull_of(const isl::set& set) {
  std::vector<BoxRange> ranges;
  for (unsigned i = 0; i < rank_of(set); ++i) {
    const isl::set shadow = shadow_of(set, i);
    ranges.push_back({lowest(shadow), highest(shadow), 1});
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
