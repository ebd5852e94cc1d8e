// Is a set of values of one subscript a range? Its ends, its stride, the teeth of a comb.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   first ........ last             a range
//   first . . . .  last             ... with a stride
//   ====    ====    ==              a comb: what blocks that are `pitch` apart touch, if they are
//   first            last           not as wide as that; the last tooth may be cut
//   <-tooth->                       a tooth as wide as the pitch or wider: just a range
//   <-pitch->
//
// Ends are read off constraints. isl's parametric minimum finds them as well, but takes a hundred
// times as long, and its answer tells apart which of several bounds is the tightest.
#pragma once

#include "model/isl.h"

#include <optional>
#include <set>
#include <vector>

namespace gridspan::codegen {

/// The values of one subscript, expressions over parameters.
struct BoxRange {
  std::vector<isl::pw_aff> first, last;  // the greatest of `first`, the least of `last`
  long stride = 1;
  // A comb: values v with (v - first) mod pitch < tooth. No stride then, and one `first`.
  long pitch = 0;
  model::OrNull<isl::pw_aff> tooth = {};
};

/// `range` is empty wherever `condition`, over parameters, does not hold or first > last.
struct GuardedRange {
  BoxRange range;
  isl::set condition;
};

/// The range whose values are `values`, a set of rank 1, wherever `facts` holds; proved. Nothing if
/// constraints do not tell.
std::optional<GuardedRange> range_of(const isl::set& values, const isl::set& facts);

/// Convex, and no quotients?
bool is_plain(const isl::set& set);

/// A plain set around the set.
isl::set hull(const isl::set& set);

/// The ends of a plain set of rank 1; `first` or `last` may be empty.
GuardedRange ends_of(const isl::set& interval);

/// Every value of the subscript is congruent to every other modulo this; 1 when nothing better is
/// known.
long stride_of(const isl::set& set, unsigned index);

/// Divisors of the quotients in the set's constraints, without 1.
std::set<long> divisors_of(const isl::set& set);

/// The set's value of a subscript, as an expression over the set.
isl::pw_aff subscript(const isl::set& set, unsigned index);

}  // namespace gridspan::codegen
