// Transforms of lines: lines that are read one after the other and written beside one another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/kernels/lines_kernels.h"

GRIDSPAN_LINES(Way::along, Way::across)
