// Subscripts of an offset by given strides, and whether they stay within the extents.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/strides.h"

namespace gridspan::analysis {

/// Subscripts by the strides, outermost first.
std::vector<isl::aff> split(const Offset& offset, const Strides& strides, Symbols& symbols);

/// The inner extents of an array with these strides.
std::vector<isl::pw_aff> extents_of(const Strides& strides, Symbols& symbols);

struct InnerCheck {
  bool proved = false;
  model::OrNull<isl::set> condition;             // else: under which it would hold, if any
  bool is_natural = false, is_doubtful = false;  // see Symbols::Avoidance
};

/// Is 0 <= subscripts[j], subscripts[j] + length <= extent on the domain? A row may be borrowed
/// from or given to the next subscript outwards, which changes nothing in the offset: (y, w - 1)
/// instead of (y + 1, -1). `relied_on`: conditions that others rely on; one of them is chosen
/// rather than a new one.
InnerCheck check_inner(const isl::set& domain, std::vector<isl::aff>& subscripts, std::size_t j,
                       long length, const isl::pw_aff& extent,
                       const std::vector<isl::set>& relied_on, const Symbols& symbols);

/// Does it stay within the rows beside its own, -extent <= subscript, subscript + length <=
/// 2*extent?
InnerCheck check_near(const isl::set& domain, const isl::aff& subscript, long length,
                      const isl::pw_aff& extent, const Symbols& symbols);

/// Does a product of a size (an argument, not a launch dimension) and something that varies make
/// this subscript one without a least or a largest value, as functions of parameters?
bool lacks_bounds(const isl::aff& subscript, const isl::set& domain, const Symbols& symbols);

/// For products P*k of launch dimensions and a loop counter that is at most a number c:
/// P*k <= c*P (where P >= 1).
isl::set counter_bounds(const std::vector<std::string>& names, const isl::set& domain,
                        const Symbols& symbols);

}  // namespace gridspan::analysis
