// Is a set a box? Shadows of sets of array elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set's *shadow* along a subscript is what values the subscript takes. The sets are anonymous:
// their tuples have no names.
#pragma once

#include "codegen/box_range.h"
#include "model/isl.h"

#include <optional>
#include <vector>

namespace gridspan::codegen {

struct Box {
  isl::set condition;            // over parameters: there is a box, unless a range is empty
  std::vector<BoxRange> ranges;  // one for each subscript
};

unsigned rank_of(const isl::set& set);

/// The box that the set is wherever `facts`, over parameters, holds; proved. Nothing if constraints
/// do not tell.
std::optional<Box> read_box(const isl::set& set, const isl::set& facts);

/// The same; what constraints do not tell is looked for. Throws Unwritable for sets without bounds.
std::optional<Box> as_box(const isl::set& set, const isl::set& facts);

/// A dense box around the set, cut off at the ends of rows: inner subscripts are below `extents`.
/// Throws Unwritable for sets without bounds.
std::vector<BoxRange> hull_of(const isl::set& set, const std::vector<isl::pw_aff>& extents);

/// Points between the set's ends along a subscript whose neighbours at both ends are in the set. Of
/// a convex set: those for which the subscript could be any that occurs in the set.
isl::set bar_of(const isl::set& set, unsigned index);

}  // namespace gridspan::codegen
