// Is a set a box? Shadows, ends and strides of sets of array elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set's *shadow* along a subscript is what values the subscript takes. The sets are anonymous:
// their tuples have no names.
#pragma once

#include "model/isl.h"

#include <optional>
#include <vector>

namespace gridspan::codegen {

/// The values of one subscript: first, first + stride, ..., last.
struct BoxRange {
  isl::pw_aff first, last;  // over parameters
  long stride = 1;
};

unsigned rank_of(const isl::set& set);

/// The ranges whose product the set is; proved. Throws Unwritable for sets without bounds.
std::optional<std::vector<BoxRange>> as_box(const isl::set& set);

/// The smallest dense box around the set.
std::vector<BoxRange> hull_of(const isl::set& set);

/// Every value of the subscript is congruent to every other modulo this; 1 when nothing better is
/// known.
long stride_of(const isl::set& set, unsigned index);

/// Points between the set's ends along a subscript whose neighbours at both ends are in the set. Of
/// a convex set: those for which the subscript could be any that occurs in the set.
isl::set bar_of(const isl::set& set, unsigned index);

/// The set's value of a subscript, as an expression over the set.
isl::pw_aff subscript(const isl::set& set, unsigned index);

}  // namespace gridspan::codegen
