// A set of array elements as families of strided boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   most images         one box, its ends closed forms in the parameters
//   a stencil's cross   a few boxes, made disjoint
//   a checkerboard      one strided box for each residue of a row
//   a triangle          one box for each row: a family, its rows enumerated
//
// Which rows: as few subscripts are fixed as it takes for the others to form a box.
#pragma once

#include "codegen/box_shape.h"
#include "model/isl.h"

#include <string>
#include <vector>

namespace gridspan::codegen {

/// For each point of `rows` one box: the point's subscripts and the ranges of the others.
struct BoxFamily {
  std::vector<unsigned> fixed, free;  // subscripts, ascending
  isl::set rows;                 // over the fixed subscripts; over parameters if there are none
  std::vector<BoxRange> ranges;  // of the free subscripts
};

/// What a fixed subscript is called as a parameter.
std::string fixed_name(unsigned subscript);

struct BoxCover {
  std::vector<BoxFamily> families;  // disjoint, if `apart`
  std::vector<BoxFamily>
      overlapping;                // dense single boxes, to be made disjoint by code (box_union.h)
  std::vector<BoxFamily> joined;  // dense single boxes: the smallest box around those that exist
  bool exact = true;              // the boxes hold nothing but elements of the set
  bool apart = true;              // `families` have no elements in common
};

enum class Precision {
  exact,    // sets that are no few boxes are enumerated, down to single elements
  loose,    // ... down to rows; what has no rows is widened
  pieces,   // a dense box for each convex piece; boxes may overlap
  one_box,  // one dense box at once, for sets that cost too much
};

/// Boxes that cover `elements` of an array with these inner extents, wherever `facts` (over
/// parameters) holds. Throws Unwritable for sets without bounds.
BoxCover cover_with_boxes(const isl::set& elements, const std::vector<isl::pw_aff>& extents,
                          const isl::set& facts, Precision precision);

}  // namespace gridspan::codegen
