// Transforms of lines: lines beside one another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/kernels/lines_kernels.h"

GRIDSPAN_LINES(Way::across, Way::across)
