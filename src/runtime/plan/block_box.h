// Blocks of a grid that lie together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/dim.h"

namespace gridspan::runtime {

/// A box of blocks; not empty.
struct BlockBox {
  abi::Dim first, count;
};

}  // namespace gridspan::runtime
