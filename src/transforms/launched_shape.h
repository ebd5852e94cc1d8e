// The shape of blocks that a kernel's launches in its own source have, where code gains by it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     sums<<<n / 256, 256>>>(...)               for (d = blockDim.x / 2; d > 0; d /= 2) ...
//
// With blockDim.x = 256 the tree's steps are known, and loops over threads have no rest.
#pragma once

#include "transforms/known_shape.h"

#include "llvm/ADT/ArrayRef.h"

namespace gridspan::transforms {

/// One of `launches`; all zero: none is of use.
BlockShape launched_shape(llvm::Function& kernel, llvm::ArrayRef<BlockShape> launches);

}  // namespace gridspan::transforms
