// Ends from constraints; what is read is proved to be the set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/box_range.h"

#include "codegen/constraints.h"
#include "codegen/isl_code.h"

#include <algorithm>

namespace gridspan::codegen {

namespace {

/// Teeth this close are better one strided range for each of their values.
constexpr long close_teeth = 8;
/// A comb's first tooth is looked for among no more than this many candidates.
constexpr unsigned max_combs = 6;

/// What a constraint says of the value: integers from or up to here.
isl::pw_aff end_of(isl_constraint* constraint, bool first) {
  const isl::ctx context(isl_constraint_get_ctx(constraint));
  isl_aff* end = isl_constraint_get_bound(constraint, isl_dim_set, 0);
  end = isl_aff_project_domain_on_params(first ? isl_aff_ceil(end) : isl_aff_floor(end));
  return checked(context, isl_pw_aff_from_aff(end));
}

void read_constraint(isl_constraint* constraint, GuardedRange& result) {
  const isl::val factor = checked(result.condition.ctx(),
                                  isl_constraint_get_coefficient_val(constraint, isl_dim_set, 0));
  const bool equal = isl_constraint_is_equality(constraint) == isl_bool_true;
  if (equal || factor.is_pos()) result.range.first.push_back(end_of(constraint, true));
  if (equal || factor.is_neg()) result.range.last.push_back(end_of(constraint, false));
}

bool has_ends(const GuardedRange& range) {
  return !range.range.first.empty() && !range.range.last.empty();
}

std::optional<GuardedRange> if_ended(GuardedRange range) {
  return has_ends(range) ? std::optional(std::move(range)) : std::nullopt;
}

/// Values first, first + stride, ...: y of which the values are offset + stride*y form an interval.
std::optional<GuardedRange> strided_range(const isl::set& values, const isl::set& facts) {
  const isl::ctx context = values.ctx();
  const long stride = stride_of(values, 0);
  if (stride == 1) return std::nullopt;
  isl_stride_info* info = isl_set_get_stride_info(values.get(), 0);
  isl_aff* offset = isl_stride_info_get_offset(info);
  isl_stride_info_free(info);
  const isl::aff value =
      checked(context, isl_aff_set_coefficient_val(
                           offset, isl_dim_in, 0, isl_val_int_from_si(values.ctx().get(), stride)));
  const isl::multi_aff change = checked(context, isl_multi_aff_from_aff(value.copy()));
  const isl::set steps =
      checked(context, isl_set_preimage_multi_aff(values.copy(), change.copy())).gist_params(facts);
  if (!is_plain(steps)) return std::nullopt;
  std::optional<GuardedRange> result = if_ended(ends_of(steps));
  if (!result) return std::nullopt;
  const isl::aff base = checked(
      context,
      isl_aff_project_domain_on_params(isl_aff_set_coefficient_si(value.copy(), isl_dim_in, 0, 0)));
  for (std::vector<isl::pw_aff>* ends : {&result->range.first, &result->range.last})
    for (isl::pw_aff& end : *ends) end = end.scale(isl::val(context, stride)).add(base);
  result->range.stride = stride;
  return result;
}

/// Combs that `values` may be: the first tooth is a piece without quotients.
std::vector<GuardedRange> combs_of(const isl::set& values, const GuardedRange& around) {
  std::vector<GuardedRange> combs;
  auto add = [&](long pitch, const isl::pw_aff& first, const isl::pw_aff& last) {
    const isl::pw_aff tooth = last.sub(first).add_constant(1L);
    if (pitch <= close_teeth && isl_pw_aff_is_cst(tooth.get()) == isl_bool_true) return;
    if (combs.size() == max_combs) return;
    GuardedRange& comb = combs.emplace_back(around);
    comb.range.first = {first};
    comb.range.pitch = pitch;
    comb.range.tooth = tooth;
  };
  const std::set<long> pitches = divisors_of(values);
  values.foreach_basic_set([&](const isl::basic_set& piece) {
    if (!is_plain(piece)) return;
    const BoxRange tooth = ends_of(piece).range;
    for (long pitch : pitches)
      for (const isl::pw_aff& first : tooth.first)
        for (const isl::pw_aff& last : tooth.last) add(pitch, first, last);
  });
  return combs;
}

/// `values` includes the facts.
bool is_comb(const isl::set& values, const GuardedRange& comb, const isl::set& facts) {
  const isl::pw_aff value = subscript(values, 0);
  auto here = [&](const isl::pw_aff& end) { return end.insert_domain(values.space()); };
  const isl::pw_aff first = here(comb.range.first[0]);
  const isl::pw_aff place = value.sub(first).mod(isl::val(values.ctx(), comb.range.pitch));
  isl::set points = value.ge_set(first).intersect(place.lt_set(here(comb.range.tooth)));
  for (const isl::pw_aff& last : comb.range.last)
    points = points.intersect(value.le_set(here(last)));
  points = points.intersect_params(comb.condition).intersect_params(facts);
  return points.is_subset(values) && values.is_subset(points);
}

}  // namespace

std::set<long> divisors_of(const isl::set& set) {
  std::set<long> divisors;
  with_known_quotients(set).foreach_basic_set([&](const isl::basic_set& piece) {
    for (int i = 0; i < isl_basic_set_dim(piece.get(), isl_dim_div); ++i) {
      const isl::aff quotient = checked(set.ctx(), isl_basic_set_get_div(piece.get(), i));
      const isl::val divisor = checked(set.ctx(), isl_aff_get_denominator_val(quotient.get()));
      divisors.insert(isl_val_get_num_si(divisor.get()));
    }
  });
  divisors.erase(1);
  return divisors;
}

isl::set hull(const isl::set& set) {
  isl_basic_set* raw = isl_basic_set_remove_divs(isl_set_simple_hull(set.copy()));
  return checked(set.ctx(), raw).to_set();
}

bool is_plain(const isl::set& set) { return set.n_basic_set() == 1 && !set.involves_locals(); }

GuardedRange ends_of(const isl::set& interval) {
  const isl::ctx context = interval.ctx();
  isl::basic_set condition = checked(context, isl_basic_set_universe(interval.space().release()));
  GuardedRange result{{}, interval};
  interval.foreach_basic_set([&](const isl::basic_set& piece) {
    for (Constraint& constraint : constraints_of(piece))
      if (isl_constraint_involves_dims(constraint.get(), isl_dim_set, 0, 1) == isl_bool_true)
        read_constraint(constraint.get(), result);
      else
        condition =
            checked(context, isl_basic_set_add_constraint(condition.copy(), constraint.release()));
  });
  result.condition = condition.params();
  return result;
}

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

std::optional<GuardedRange> range_of(const isl::set& values, const isl::set& facts) {
  if (is_plain(values)) return if_ended(ends_of(values));
  if (values.n_basic_set() == 1)
    if (auto strided = strided_range(values, facts)) return strided;
  const isl::set known = values.intersect_params(facts);
  const isl::set around = hull(known).gist_params(facts);
  if (!is_plain(around)) return std::nullopt;
  std::optional<GuardedRange> range = if_ended(ends_of(around));
  if (!range) return std::nullopt;
  if (around.intersect_params(facts).is_subset(values)) return range;
  for (const GuardedRange& comb : combs_of(values, *range))
    if (is_comb(known, comb, facts)) return comb;
  return std::nullopt;
}

}  // namespace gridspan::codegen
