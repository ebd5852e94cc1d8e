// Transforms of lines: a block for each line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/kernels/lines_kernels.h"

GRIDSPAN_LINES(Way::parts, Way::across)
