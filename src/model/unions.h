// What accesses of one kind to one array touch together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/part_image.h"

namespace gridspan::model {

/// An access and its image.
struct Member {
  const Access* access = nullptr;
  PartImage image;
};

/// Whether the images together claim no more than the accesses touch, in every part, although one
/// alone may: the elements between multiples of a block's offset (model/density.h) are touched by
/// another of them. False when that is not known.
bool dense_together(const Kernel& kernel, Instances& instances, const std::vector<Member>& members);

/// Whether in each block the access touches nothing but what the members, each exact over a block,
/// touch there.
bool is_covered(const Kernel& kernel, Instances& instances, const Access& access,
                const std::vector<Member>& members);

}  // namespace gridspan::model
