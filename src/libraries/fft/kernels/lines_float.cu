// Transforms of lines: float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/kernels/lines_kernels.h"

namespace gridspan::libraries::fft {
template cudaError_t launch_lines<float>(const Lines<float>& lines, cudaStream_t stream);
}  // namespace gridspan::libraries::fft
