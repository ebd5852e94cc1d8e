// The operators of reductions and scans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "groups_lanes.h"

namespace cooperative_groups {

#define GRIDSPAN_OPERATOR(name, result)                                     \
  template <class T>                                                        \
  struct name {                                                             \
    GRIDSPAN_GROUP_FUNCTION T operator()(T a, T b) const { return result; } \
  };
GRIDSPAN_OPERATOR(plus, a + b)
GRIDSPAN_OPERATOR(less, b < a ? b : a)
GRIDSPAN_OPERATOR(greater, a < b ? b : a)
GRIDSPAN_OPERATOR(bit_and, a& b)
GRIDSPAN_OPERATOR(bit_or, a | b)
GRIDSPAN_OPERATOR(bit_xor, a ^ b)
#undef GRIDSPAN_OPERATOR

}  // namespace cooperative_groups
