// What one access touches in a part: its relation with blocks bounded and threads projected out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/instances.h"

namespace gridspan::model {

struct PartImage {
  FootprintPiece piece;
  /// Nothing but what the relation's instances touch: in a part of one block, in every part.
  bool exact_block = true, exact_part = true;
};

/// The image of a part under an access. Never too small. Not yet made disjoint.
PartImage part_image(const Kernel& kernel, Instances& instances, const Access& access);

/// The same without loops and in a hurry: larger, both flags false.
PartImage coarse_part_image(const Kernel& kernel, Instances& instances, const Access& access);

}  // namespace gridspan::model
