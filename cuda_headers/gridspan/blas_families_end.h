// The end of what blas_families.h begins.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#undef GRIDSPAN_BLAS
#undef GRIDSPAN_BLAS_SIZES
#undef GRIDSPAN_BLAS_S
#undef GRIDSPAN_BLAS_D
#undef GRIDSPAN_BLAS_C
#undef GRIDSPAN_BLAS_Z
#undef GRIDSPAN_BLAS_SD
#undef GRIDSPAN_BLAS_CZ
#undef GRIDSPAN_BLAS_SDCZ
#undef GRIDSPAN_BLAS_CZ_REAL
#undef GRIDSPAN_BLAS_INT_SDCZ
