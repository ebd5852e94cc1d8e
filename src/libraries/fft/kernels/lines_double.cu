// Transforms of lines: double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/kernels/lines_kernels.h"

namespace gridspan::libraries::fft {
template cudaError_t launch_lines<double>(const Lines<double>& lines, cudaStream_t stream);
}  // namespace gridspan::libraries::fft
