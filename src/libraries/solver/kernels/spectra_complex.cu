// Eigenvalues and singular values: complex numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/spectra_kernels.h"

namespace gridspan::libraries::solver {
GRIDSPAN_SPECTRA(Complex<float>)
GRIDSPAN_SPECTRA(Complex<double>)
}  // namespace gridspan::libraries::solver
