// Delinearisation: from byte offsets to subscripts of an array with a shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An offset such as 4*(w*y + x) has terms whose coefficients are products of parameters; these are
// the candidates for strides. With strides s_0 > s_1 > ... > 1, each a multiple of the next, the
// array has inner extents s_0/s_1, s_1/s_2, ... and the subscript of dimension j collects the terms
// that s_j divides and no longer stride does (after Grosser et al., "Optimistic delinearization",
// ICS'15; Mekong §4.1 has only one dimension). That every inner subscript lies within its extent is
// proved from the access's domain or becomes an assumption; a shape for which neither works is not
// used.
#pragma once

#include "analysis/raw_access.h"

namespace gridspan::analysis {

/// One expression of an access: under `domain` it touches `subscripts`, outermost first, in
/// elements.
struct Subscripts {
  isl::set domain;  // of the piece, with that of the access, definitions and facts
  std::vector<isl::aff> values;
  std::vector<std::string> lost_data;  // that the access depends on, projected out of the domain
};

struct ShapedAccess {
  std::vector<Subscripts> pieces;
  std::vector<isl::set> assumptions;  // over parameters: must hold for the shape to be right
  bool too_complex = false;           // then nothing else is known
  /// The innermost subscripts of the pieces may leave their row: the relation must say so.
  bool leaves_row = false;
};

struct Shape {
  unsigned element_bytes = 1;
  std::vector<isl::pw_aff> extents;    // inner ones
  std::vector<ShapedAccess> accesses;  // one per raw access; without pieces when unbounded
};

/// An access that depends on more data is not asked whether these matter.
inline constexpr std::size_t max_data_for_exactness = 3;

class KnownFits;

/// `accesses` are all of one array.
Shape find_shape(const std::vector<const RawAccess*>& accesses, Symbols& symbols, Budget& budget,
                 KnownFits& known);

}  // namespace gridspan::analysis
