// A constant that other files read and set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces.h"

__constant__ float the_factor = 0.0f;
