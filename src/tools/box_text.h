// What one block touches, as subscript ranges a person reads: [y-1 .. y+16][x .. x+15].
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/notation.h"

namespace gridspan::tools {

/// One box of elements. Empty `ranges`: too complicated for ranges.
struct BoxText {
  std::string ranges;  // "[y-1 .. y+16][x .. x+15 step 2]"
  std::string inside;  // limits that are the same for all blocks: "[0 .. rows-1][0 .. cols-1]"
  std::string loops;   // "for each k0 in 0 .. n-1"
  bool is_box = true;  // all of the box, not part of it
};

/// The elements a single block touches; the boxes together cover the set's footprint. At most a
/// few: beyond that, one box around them.
std::vector<BoxText> block_boxes(const model::AccessSet& set, const model::Kernel& kernel,
                                 const Notation& notation);

/// A piece's image for the block (blockIdx_x, ...): part bounds replaced by the block's symbols.
isl::set image_of_one_block(const model::Kernel& kernel, isl::set image);

}  // namespace gridspan::tools
