// Transforms of lines: lines one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/kernels/lines_kernels.h"

GRIDSPAN_LINES(Way::along, Way::along)
