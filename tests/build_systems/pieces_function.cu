// A device function that other files call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces.h"

__device__ float scaled(float x) { return x * the_factor; }
