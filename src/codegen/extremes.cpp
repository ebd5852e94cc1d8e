// Ends of a parameter's range, interval by interval.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/extremes.h"

#include "codegen/box_range.h"

#include <algorithm>

namespace gridspan::codegen {

using namespace llvm;

namespace {

/// More intervals than this become one around them.
constexpr unsigned max_intervals = 8;

Extremes::Interval interval_of(const isl::set& values) {
  if (is_plain(values)) {
    GuardedRange read = ends_of(values);
    return {read.condition, std::move(read.range.first), std::move(read.range.last)};
  }
  Extremes::Interval result{values.params(), {}, {}};
  if (isl_set_dim_has_lower_bound(values.get(), isl_dim_set, 0) == isl_bool_true)
    result.least.push_back(checked(values.ctx(), isl_set_dim_min(values.copy(), 0)).coalesce());
  if (isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) == isl_bool_true)
    result.greatest.push_back(checked(values.ctx(), isl_set_dim_max(values.copy(), 0)).coalesce());
  return result;
}

Number end_of(IslCode& code, const Extremes::Interval& interval, bool first) {
  return first ? code.greatest(interval.least) : code.least(interval.greatest);
}

Value* exists(IslCode& code, const Extremes::Interval& interval) {
  Value* condition = code.condition(interval.condition);
  if (interval.least.empty() || interval.greatest.empty()) return condition;
  Value* some = code.builder().CreateICmpSLE(code.greatest(interval.least).value,
                                             code.least(interval.greatest).value);
  return code.builder().CreateAnd(condition, some);
}

/// `first`: the least of all, else the greatest.
Number end(IslCode& code, const Extremes& extremes, bool first) {
  const std::vector<Extremes::Interval>& all = extremes.intervals;
  Number result = end_of(code, all[0], first);
  if (all.size() == 1) return result;
  IRBuilder<>& builder = code.builder();
  Value* any = exists(code, all[0]);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Number one = end_of(code, all[i], first);
    Value* there = exists(code, all[i]);
    Value* better = builder.CreateBinaryIntrinsic(first ? Intrinsic::smin : Intrinsic::smax,
                                                  result.value, one.value);
    Value* joined = builder.CreateSelect(any, better, one.value);
    result = {builder.CreateSelect(there, joined, result.value), std::max(result.bound, one.bound)};
    any = builder.CreateOr(any, there);
  }
  return result;
}

}  // namespace

bool Extremes::has_least() const {
  return !intervals.empty() &&
         std::ranges::none_of(intervals, [](const auto& one) { return one.least.empty(); });
}

bool Extremes::has_greatest() const {
  return !intervals.empty() &&
         std::ranges::none_of(intervals, [](const auto& one) { return one.greatest.empty(); });
}

Extremes extremes_of(const isl::set& set, const std::string& parameter) {
  isl::set values = model::parameters_to_dimensions(set, {parameter}).coalesce();
  if (values.n_basic_set() > max_intervals) values = hull(values);
  Extremes result;
  values.foreach_basic_set(
      [&](const isl::basic_set& piece) { result.intervals.push_back(interval_of(piece)); });
  return result;
}

Number least(IslCode& code, const Extremes& extremes) { return end(code, extremes, true); }

Number greatest(IslCode& code, const Extremes& extremes) { return end(code, extremes, false); }

isl::pw_aff above(const Extremes& extremes) {
  model::OrNull<isl::pw_aff> result;
  for (const Extremes::Interval& interval : extremes.intervals) {
    isl::pw_aff end = interval.greatest[0];
    for (const isl::pw_aff& other : interval.greatest) end = end.min(other);
    result = result.is_null() ? end
                              : checked(end.ctx(), isl_pw_aff_union_max(result.copy(), end.copy()));
  }
  return result;
}

}  // namespace gridspan::codegen
