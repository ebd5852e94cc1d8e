// Transforms of lines: lines and elements with gaps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/kernels/lines_kernels.h"

GRIDSPAN_LINES(Way::apart, Way::apart)
