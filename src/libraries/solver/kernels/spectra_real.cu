// Eigenvalues and singular values: real numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/spectra_kernels.h"

namespace gridspan::libraries::solver {
GRIDSPAN_SPECTRA(float)
GRIDSPAN_SPECTRA(double)
}  // namespace gridspan::libraries::solver
